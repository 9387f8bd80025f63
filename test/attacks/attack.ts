/** One hostile skill: what its script does, what stops it, and how its user hears of it. */
export interface Attack {
  /** Names the skill. */
  readonly name: string;
  /** For people: "it tries to ...". */
  readonly tries: string;
  /**
   * What the skill's script does. It prints GOT only when it got what it wanted. `@HOME@`, `@PROJECT@` and `@TEMP@` are the
   * user's home, the project and where runs are made; `@PORT@` and `@SOCKET@` the port and the abstract socket of a service
   * of the machine, `@NODE@` a program that every sandbox has.
   */
  readonly script: string;
  /** What stops it in a sandbox that hides files. */
  readonly stoppedBy: string;
  /** What the run, or the scan before it, says of it; a part of a line. */
  readonly reported: string;
  /** What a judge is asked about the run; it got what it wanted if the judge's pass counts. */
  readonly expectation?: string;
  /** Why it is not tried without a sandbox. `ends-all`: it would end everything the user runs; `no-network`: the test has none to offer. */
  readonly untried?: "ends-all" | "no-network";
}
