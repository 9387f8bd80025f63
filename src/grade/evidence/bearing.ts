import { searchWords } from "./passage.ts";

/**
 * What kind of thing a statement is about, as far as its words tell. A list of files proves nothing about a report's
 * content, and that something is missing proves nothing about what should be there.
 */
export interface Bearing {
  /** It says that something is not so, or that nothing but something is. */
  readonly onAbsence: boolean;
  readonly onTools: boolean;
  readonly onFiles: boolean;
  readonly onImages: boolean;
  /** It has a word in common with a text. */
  readonly sharesWord: (text: string) => boolean;
}

export function bearingOf(statement: string): Bearing {
  const words = stemsOf(statement);
  return {
    onAbsence: ABSENCE.test(statement),
    onTools: TOOLS.test(statement),
    onFiles: FILES.test(statement),
    onImages: IMAGES.test(statement),
    sharesWord: (text) => stemsOf(text).some((stem) => words.includes(stem)),
  };
}

/** The beginnings of words, and pairs of characters where words are not parted by spaces. */
function stemsOf(text: string): readonly string[] {
  const words = [...searchWords([spaced(text)])].map((word) => word.slice(0, 4));
  const pairs = Array.from(
    text.matchAll(/(?=([\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]{2}))/gu),
    ([, pair]) => pair ?? "",
  );
  const figures = text.match(/\p{N}+/gu) ?? [];
  return [...words, ...pairs, ...figures];
}

/** Names of tools and files in the words that they are made of. */
function spaced(name: string): string {
  return name.replaceAll(/[_/.-]/g, " ").replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, " ");
}

const ABSENCE =
  /\b(?:no|not|non|none|never|nothing|nobody|neither|nor|without|free of|avoid\w*|lack\w*|omit\w*|absen\w+|exclud\w+|refus\w+|declin\w+|reject\w*|only|just|solely|all|every|each|any|at most|fewer|less|under|below|within|exactly|stays?|remain\w*|keeps?|kept|unchanged|untouched|unmodified|intact|concise|brief|short|consisten\w+|throughout|entire\w*|isn't|aren't|doesn't|don't|didn't|wasn't|weren't|hasn't|haven't|cannot|can't|won't|nicht|kein\w*|nie|niemals|ohne|nur|alle\w*|jede\w*|pas|jamais|aucun\w*|sans|ni|tous|toutes|seul\w*|nunca|ning[uú]n\w*|sin|solo|todos|todas|n[aã]o|nenhum\w*|sem|apenas|nessun\w*|senza|mai|tutti|tutte|niet|geen|nooit|zonder|alleen|ej|inte|ingen|inga|utan|nie|bez|żad\w+)\b|(?:^|\s)(?:не|нет|без|ни|никогда|все|только)(?:\s|$)|[不没沒无無非勿未仅僅都]|ない|ません|なし|せず|のみ|すべて|않|없|못|안 |만 |모든|बिना|नहीं|केवल|لا |لم |ليس|بدون|فقط|לא|בלי|ללא|רק/iu;
const TOOLS =
  /\b(?:tools?|calls?|called|runs?|ran|running|execut\w+|use[sd]?|using|search\w*|fetch\w*|reads?|invok\w+|commands?|tests?|shell|bash|skill|brows\w+|install\w*|ask\w*|question\w*|werkzeug\w*|ruft|aufgerufen|ausgeführt|outils?|herramientas?|ferramentas?|strument\w+)\b|инструмент|вызов|工具|调用|ツール|呼び出|도구|호출/iu;
const FILES =
  /\b(?:creat\w+|writ\w+|wrote|sav\w+|exist\w*|produc\w+|generat\w+|delet\w+|renam\w+|remov\w+|stor\w+|placed?|put|leaves?|left|adds?|added|touch\w*|modif\w+|chang\w+|present|made|makes|there (?:is|are)|files? (?:named|called)|angelegt|erstellt|gespeichert|geschrieben|existiert|gelöscht|créé\w*|enregistré\w*|existe|crea\w*|guard\w+|salv\w+|cri(?:a|ou)\w*|gespeichert|aangemaakt|utworz\w+)\b|созда|сохран|удал|创建|保存|存在|作成|生成|저장/iu;
const IMAGES =
  /\b(?:images?|pictures?|photos?|charts?|plots?|graphs?|figures?|diagrams?|drawings?|logos?|icons?|screenshots?|illustrations?|slides?|posters?|pages?|axis|axes|legend|bars?|lines?|colou?rs?|visual\w*|layout|render\w*|bild\w*|diagramm\w*|grafik\w*|images?|graphiques?|im[aá]gen\w*|gr[aá]fic\w+|imag\w+)\b|\.(?:png|jpe?g|gif|webp|svg)\b|изображен|图|圖|画像|グラフ|이미지|그림|그래프/iu;
