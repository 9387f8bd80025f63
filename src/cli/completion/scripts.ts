export const SHELLS = ["bash", "zsh", "fish", "powershell"] as const;
export type Shell = (typeof SHELLS)[number];

/** What each shell must be told; all of them ask `assay completions words` for the words. */
export const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `_assay() {
  local IFS=$'\\n'
  COMPREPLY=($(assay completions words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _assay assay
`,
  zsh: `#compdef assay
_assay() {
  local -a found
  found=("\${(@f)$(assay completions words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "\${found[1]}" ]]; then compadd -Q -- "\${found[@]}"; else _files; fi
}
compdef _assay assay
`,
  fish: `function __assay_words
    set -l words (commandline -opc) (commandline -ct)
    assay completions words -- $words[2..-1] 2>/dev/null
end
complete -c assay -a '(__assay_words)'
`,
  powershell: `Register-ArgumentCompleter -Native -CommandName assay -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  if ($wordToComplete -eq '') { $words += '' }
  & assay completions words -- @words 2>$null | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`,
};
