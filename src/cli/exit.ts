/** Exit codes, the same for every command; `docs/exit-codes.md` explains them to users. */
export const EXIT = { ok: 0, gateMissed: 1, wrongInput: 2, unfinished: 3, interrupted: 130 } as const;
