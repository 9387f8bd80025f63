import type { Subject } from "../grade/subject.ts";

/** What two versions made of one case, to be compared. The first is what the second is held against. */
export interface Pair {
  readonly caseId: string;
  /** Counts from 1. */
  readonly repetition: number;
  readonly first: Contestant;
  readonly second: Contestant;
}

export interface Contestant {
  /** Where it lies, for people; never shown to a judge. */
  readonly name: string;
  readonly subject: Subject;
  /** How the checks of the case came out; empty where it has none or they were not graded. */
  readonly expectations: readonly Expectation[];
}

export interface Expectation {
  readonly text: string;
  readonly passed: boolean;
}

/** The two versions as a judge knows them. */
export type Side = "A" | "B";
export type Winner = Side | "TIE";
export type Contender = "first" | "second";
