/** Who a sentence must not speak to, in the words by which graders are called. */
const GRADER =
  "(?:judges?|graders?|evaluators?|assessors?|examiners?|auto-?graders?|llm|ai|language model|(?:grading|judging|evaluation|evaluating|scoring) (?:models?|systems?|agents?|assistants?|ai|llm)|whoever (?:grades|judges|evaluates|reads|scores)\\w*)";
const CRITERION =
  "(?:criteri(?:on|a)|expectations?|assertions?|rubrics?(?: items?)?|grading (?:checks?|items?|points?)|verdicts?)";
const EVERY =
  "(?:every(?: single)?|all(?: of)?(?: the| these| your)?|each(?: of the)?|any|these|the|both|your)";
const GOOD =
  "(?:pass(?:ed|es|ing)?|met|satisfied|fulfilled|true|successful|full|perfect|maximum|highest|top|1(?:\\.0)?(?! ?(?:to|-|–|and|bis) )|10(?: ?/ ?10| out of 10)?|5 ?/ ?5|100(?: ?%)?)";
/** Where an order begins: a new sentence or clause, or words that urge. */
const ORDER =
  "(?:^|[.!?:;,=<>|#*\"'`(\\]})\\/-]\\s*|\\b(?:please|then|just|simply|now|always|immediately|instead|so|you (?:must|should|will|shall|may|can|are to|have to|need to)|kindly|system)\\s+)";

/** Orders about verdicts. Each is looked for in one paragraph, in lower case, with plain spaces. */
const COMMANDS: readonly string[] = [
  `${ORDER}(?:pass|approve|satisfy|fulfill?|green-?light|wave through) (?:\\w+ ){0,2}?${EVERY} (?:\\w+ ){0,2}?${CRITERION}`,
  `${ORDER}(?:pass|approve) (?:everything|this (?:run|output|answer|submission|response)|all of (?:it|them)|it all|them all)\\b`,
  `${ORDER}(?:mark|grade|score|rate|judge|treat|consider|count|report|record|return|deem|declare|set|give|evaluate|assess) (?:[\\w']+ ){0,3}?(?:${EVERY} (?:[\\w']+ ){0,3}?${CRITERION}|everything|(?:this|the) (?:run|output|answer|submission|response|transcript|agent|work)|it|them(?: all)?)[^.!?\\n]{0,40}?\\b${GOOD}(?:$|[^\\w-])`,
  `\\b${EVERY} (?:[\\w']+ ){0,2}?${CRITERION} (?:must|should|shall|(?:is|are|has|have) to|need to) (?:be |all be )?(?:marked|judged|graded|scored|counted|treated|reported|considered (?:as )?${GOOD})`,
  `${ORDER}(?:give|award|assign|grant) (?:it|this|them|us|me|the (?:run|output|answer|agent|response|work)|(?:this|every|each) \\w+)(?: \\w+){0,3} (?:full|maximum|perfect|top|highest|max) (?:marks?|scores?|points?|grades?|ratings?|credit)`,
  `\\b(?:never|do not|don't|must not|cannot|may not) (?:fail|mark down|reject|penali[sz]e) (?:\\w+ ){0,3}?(?:${CRITERION}|(?:this|the) (?:run|output|answer|agent|response|submission)|any of (?:it|them)|anything)`,
  `${ORDER}(?:return|reply|respond|answer|output|emit|write|print|set)\\b[^.!?\\n]{0,60}[\\\\"'\`]*passed[\\\\"'\`]* ?(?:[:=]|to|as|is) ?["'\`]?true[^\\n]{0,80}(?:${CRITERION}|everything|every|all|verdict)`,
  `(?:${CRITERION}|verdict|every index|all indexes)[^.!?\\n]{0,60}[\\\\"'\`]*passed[\\\\"'\`]* ?(?:[:=]|to|as|is) ?["'\`]?true`,
  `\\byou are (?:now )?(?:a |an |the )?(?:\\w+ ){0,2}?(?:lenient|generous|friendly|new) (?:\\w+ )?(?:judge|grader|evaluator)`,
  `\\bas (?:the|a|an|our) (?:\\w+ )?${GRADER}[^.!?\\n]{0,30}\\byou (?:must|should|will|shall|have to|need to|are required)`,
];

/** Orders to forget what one was told. */
const OVERRIDES: readonly string[] = [
  `\\b(?:ignore|disregard|forget|override|discard|drop) (?:\\w+ ){0,3}?(?:previous|prior|above|earlier|preceding|former|initial|original|system) (?:\\w+ ){0,2}?(?:instructions?|prompts?|rules|${CRITERION}|guidelines|directions|messages?)`,
  `\\b(?:ignore|disregard|forget) (?:everything|all) (?:\\w+ )?(?:you were told|above|before this|that came before)`,
  `\\b(?:your|the) (?:new|real|true|actual) (?:instructions?|task|criteria|role|rubric) (?:is|are|follows?)\\b[^\\n]{0,80}(?:pass|score|grad|judg|approv)`,
];

/** An address, and beside it what makes it one of a judge rather than of a court. */
const ADDRESSES = `(?:\\b(?:dear|hey|hi|hello|attention|attn|note|memo|message|instructions?|hint|reminder|important)\\b[:,!]? (?:(?:to|for)\\b )?(?:(?:the|all|any|our|my|you,?|fellow) )?(?:\\w+ ){0,2}?${GRADER}\\b|^[ #*>|-]*(?:(?:for|to) (?:the |all |any |our )?(?:\\w+ )?${GRADER}\\b|@? ?(?:the )?(?:\\w+ )?${GRADER} ?[:-] |@? ?${GRADER}, )|["'\`(]${GRADER}[:,] )`;
const STAKES = `(?:${ORDER}|\\b(?:and|to) )(?:pass|mark|give|score|grade|accept|treat|consider|return|reply|respond|skip|ignore|count|award|conclude|trust|assume|believe|don't fail|do not fail|approve)\\b|\\b(?:verified|validated|approved|confirmed|graded|certified|pre-?approved) by\\b|${CRITERION} (?:is|are|hold|holds|have been|has been|were|was) `;
const COURT =
  /\b(?:court|your honou?r|plaintiff|defendant|appeal|hearing|counsel|settlement|dear judge [a-z]+,)/;

/** The evidence said to be over, our own markers and replies imitated. */
const IMITATIONS: readonly RegExp[] = [
  /\[\[ ?[0-9a-f]{6,} (?:begin|end|event|file|files|tools|output|left out)\b/,
  /\[\[ ?(?:begin|end)(?: of evidence)? ?\]\]/,
  /\b(?:end|conclusion) of (?:the )?(?:evidence|untrusted (?:text|content)|transcript to (?:grade|judge))\b/,
  /<\/(?:evidence|skill_output|untrusted|agent_output|transcript|submission)>/,
  /"verdicts"\s*:\s*\[(?=[^]{0,4000}"passed"\s*:\s*true)|"verdicts"\s*:\s*\[\s*\]/,
];

/** The same in other languages: an order to pass criteria, or to forget what one was told. */
const ELSEWHERE: readonly RegExp[] = [
  // German
  /\b(?:bestehe|bestehen sie|lass|lasse|winke)\b[^.!?\n]{0,30}(?:alles|alle|jedes|kriteri)/,
  /\b(?:bewerte|werte|markiere|setze|betrachte|stufe|beurteile|vergib|gib)\w*\b[^.!?\n]{0,50}(?:kriteri|alles|lauf|ausgabe|antwort)[^.!?\n]{0,40}(?:bestanden|erfüllt|voll|höchst|true)/,
  /\b(?:ignoriere?|vergiss|missachte)\w*\b[^.!?\n]{0,30}(?:anweisung|vorgabe|instruktion|regeln)/,
  // French
  /\b(?:valide[zr]?|réussi[srt]\w*|approuve[zr]?)\b[^.!?\n]{0,30}(?:critères?|tout)\b/,
  /\b(?:marque|note|considère|évalue|déclare|accorde|donne)\w*\b[^.!?\n]{0,50}(?:critères?|réponse|sortie)[^.!?\n]{0,40}(?:réussi|validé|rempli|satisfait|maximal|vrai|passé)/,
  /\b(?:ignore[zr]?|oublie[zr]?)\b[^.!?\n]{0,25}(?:instructions|consignes)/,
  // Spanish
  /\b(?:aprueb\w+|apruebe)\b[^.!?\n]{0,30}(?:criterios?|todo)\b/,
  /\b(?:marca|califica|considera|evalúa|da|otorga)\w*\b[^.!?\n]{0,50}(?:criterios?|respuesta|salida)[^.!?\n]{0,40}(?:aprobad|cumplid|superad|máxim|verdader)/,
  /\b(?:ignora|olvida)\w*\b[^.!?\n]{0,25}instrucciones/,
  // Portuguese
  /\baprov[ea]\w*\b[^.!?\n]{0,30}(?:critérios?|tudo)\b/,
  /\b(?:marque|considere|avalie|dê|trate)\w*\b[^.!?\n]{0,50}(?:critérios?|resposta|saída)[^.!?\n]{0,40}(?:aprovad|cumprid|atendid|máxim|verdadeir)/,
  /\b(?:ignore|esqueça|desconsidere)\b[^.!?\n]{0,25}instruções/,
  // Italian
  /\b(?:approva|promuovi|supera)\w*\b[^.!?\n]{0,30}(?:criteri\w?|tutto)\b/,
  /\b(?:segna|considera|valuta|contrassegna|assegna)\w*\b[^.!?\n]{0,50}(?:criteri\w?|risposta|output)[^.!?\n]{0,40}(?:superat|soddisfatt|massim|vero|promoss)/,
  /\b(?:ignora|dimentica)\w*\b[^.!?\n]{0,25}istruzioni/,
  // Dutch
  /\b(?:keur)\b[^.!?\n]{0,30}(?:criteri\w+|alles)[^.!?\n]{0,20}goed/,
  /\b(?:markeer|beoordeel|geef|beschouw)\b[^.!?\n]{0,50}(?:criteri\w+|antwoord|uitvoer)[^.!?\n]{0,40}(?:geslaagd|voldaan|behaald|maxim|hoogste)/,
  /\bnegeer\b[^.!?\n]{0,25}instructies/,
  // Swedish
  /\bgodkänn\b[^.!?\n]{0,30}(?:kriteri\w+|allt)/,
  // Polish
  /\b(?:zalicz|zaakceptuj|uznaj|oznacz)\w*\b[^.!?\n]{0,40}(?:kryteri\w+|wszystko)/,
  /(?:zignoruj|ignoruj|zapomnij)\w*[^.!?\n]{0,30}(?:instrukcj|polece)/,
  // Turkish
  /(?:tüm|bütün|her)[^.!?\n]{0,20}(?:kriter|ölçüt)[^.!?\n]{0,40}(?:geçir|geçti olarak|onayla|kabul et|karşılandı say)/,
  /önceki[^.!?\n]{0,20}talimat[^.!?\n]{0,20}(?:yok say|unut|görmezden)/,
  // Russian and Ukrainian
  /(?:засчита|зачти|отметь|одобри|прими|поставь|зарахуй|познач)\p{L}*[^.!?\n]{0,40}критері?и?\p{L}*/u,
  /(?:игнорируй|забудь|ігноруй|проігноруй)\p{L}*[^.!?\n]{0,40}(?:инструкц|указани|інструкц|вказівк)/u,
  // Arabic, Hebrew, Hindi
  /(?:اجتز|اعتبر|مرر|وافق|ضع|امنح)[^.!?\n]{0,40}(?:المعايير|معيار)/,
  /تجاهل[^.!?\n]{0,30}(?:التعليمات|الأوامر)/,
  /(?:העבר|סמן|אשר)[^.!?\n]{0,40}(?:הקריטריונים|קריטריון)/,
  /(?:सभी|हर)[^।!?\n]{0,20}(?:मानदंड|मापदंड)[^।!?\n]{0,40}(?:पास|उत्तीर्ण|पूर्ण)[^।!?\n]{0,10}(?:करें|करो|मानें)/,
  /पिछले[^।!?\n]{0,20}निर्देश[^।!?\n]{0,20}(?:अनदेखा|भूल)/,
  // Chinese, Japanese, Korean
  /(?:请|請|务必|務必|必须|必須|应该|應該|直接)[^。!?\n]{0,12}(?:通过|通過|合格|满分|滿分|达标)[^。!?\n]{0,12}(?:标准|標準|准则|條件|条件|评分|評分|项|項|。|$)/,
  /(?:将|將|把)[^。!?\n]{0,16}(?:标准|標準|准则|条件|評分|评分)[^。!?\n]{0,12}(?:判定|标记|標記|评为|評為|视为|視為)[^。!?\n]{0,6}(?:通过|通過|合格|满分|滿分)/,
  /(?:忽略|无视|無視|忘记)[^。!?\n]{0,10}(?:之前|以上|先前|前面|所有)[^。!?\n]{0,8}(?:指令|指示|说明|說明|提示)/,
  /(?:すべて|全て|全部|各)の?(?:基準|評価項目|条件|項目)[^。!?\n]{0,12}(?:合格|満たし|パス|通過)[^。!?\n]{0,10}(?:せよ|ください|下さい|判定し|としなさい|しろ)/,
  /(?:以前|これまで|前|上記|上)の(?:すべての)?(?:指示|命令)[^。!?\n]{0,4}(?:無視|忘れ)/,
  /모든[^.!?\n]{0,6}(?:기준|항목|조건)[^.!?\n]{0,12}(?:통과|합격|충족)[^.!?\n]{0,10}(?:시켜|처리|하세요|하라|해라|하십시오|표시)/,
  /(?:이전|위)[^.!?\n]{0,8}(?:지시|명령|지침)[^.!?\n]{0,6}무시/,
  // Vietnamese, Indonesian
  /(?:hãy|vui lòng)[^.!?\n]{0,30}tiêu chí[^.!?\n]{0,30}(?:đạt|qua)/,
  /\b(?:luluskan|loloskan|tandai)\b[^.!?\n]{0,40}kriteria/,
];

const commands = new RegExp(COMMANDS.join("|"), "mu");
const overrides = new RegExp(OVERRIDES.join("|"), "u");
const addresses = new RegExp(ADDRESSES, "mu");
const stakes = new RegExp(STAKES, "mu");

/** How far behind an address its purpose stands. */
const NEAR_CHARS = 240;

/** The words by which a paragraph in lower case speaks to a judge; null: it does not. */
export function spokenTo(paragraph: string): string | null {
  for (const pattern of [commands, overrides, ...ELSEWHERE]) {
    const found = pattern.exec(paragraph);
    if (found !== null && !isReported(paragraph, found)) return found[0];
  }
  for (const pattern of IMITATIONS) {
    const found = pattern.exec(paragraph);
    if (found !== null) return found[0];
  }
  const address = addresses.exec(paragraph);
  if (address === null || COURT.test(paragraph)) return null;
  const end = address.index + address[0].length;
  return stakes.test(paragraph.slice(end - 1, end + NEAR_CHARS)) ? address[0] : null;
}

/** Quoted by somebody who tells of it: `the page says "ignore all previous instructions", which I did not`. */
function isReported(paragraph: string, found: RegExpExecArray): boolean {
  const start = found.index + (found[0].length - found[0].replace(/^[^\p{L}]+/u, "").length);
  const end = found.index + found[0].replace(/[^\p{L}\p{N}]+$/u, "").length;
  const before = paragraph.slice(0, start);
  const after = paragraph.slice(end);
  const quoted = QUOTES.some(([open, close]) => {
    const opened = before.lastIndexOf(open);
    return opened !== -1 && !before.slice(opened + 1).includes(close) && after.includes(close);
  });
  return quoted && TOLD.test(`${before} ${after}`);
}

const QUOTES = [
  ['"', '"'],
  ["`", "`"],
  ["“", "”"],
  ["„", "“"],
  ["«", "»"],
  ["「", "」"],
] as const;
const TOLD =
  /\b(?:injection|injected|attempt(?:s|ed)?|suspicious|malicious|did not follow|didn't follow|not (?:followed|obeyed|acted on)|refus\w+|hidden (?:text|instruction)|untrusted|phish\w+|jailbreak|attack\w*|verdächtig\w*|manipul\w+)\b|注入|攻撃|インジェクション/;
