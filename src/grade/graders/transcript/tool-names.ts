/**
 * Is a call of `called` what an author means by `named`? Names are compared without regard to case. Clients name the
 * same tool differently, so a name also stands for its counterparts in the other clients.
 */
export function isSameTool(named: string, called: string): boolean {
  const wanted = named.trim().toLowerCase();
  const found = called.trim().toLowerCase();
  return wanted === found || COUNTERPARTS.some((names) => names.includes(wanted) && names.includes(found));
}

/** One line for each thing a tool does: Claude Code's name first, then those of Codex, Gemini CLI, OpenCode and others. */
const COUNTERPARTS: readonly (readonly string[])[] = [
  ["bash", "shell", "local_shell", "exec_command", "run_shell_command", "terminal"],
  ["read", "read_file", "view"],
  ["write", "apply_patch", "write_file"],
  ["edit", "multiedit", "apply_patch", "replace", "str_replace", "patch"],
  ["glob", "find_files"],
  ["grep", "search_file_content", "grep_search"],
  ["ls", "list", "list_directory", "list_dir"],
  ["websearch", "web_search", "google_web_search"],
  ["webfetch", "web_fetch", "fetch"],
  ["todowrite", "update_plan", "write_todos"],
  ["task", "agent", "spawn_agent"],
  ["skill", "activate_skill"],
  ["askuserquestion", "request_user_input", "ask_user"],
];
