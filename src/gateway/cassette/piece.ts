/** One thing that a request says, in a form that two runs of the same trial share. */
export type Piece =
  /** Ours to decide: the model, the user's words, the skill. A change makes the recorded answer worthless. */
  | { readonly kind: "hard"; readonly label: string; readonly text: string }
  /** What a tool gave back. */
  | {
      readonly kind: "result";
      readonly label: string;
      readonly text: string;
      readonly failed: boolean;
      /** It may hold the skill's own text, so that no change of it is let pass. */
      readonly strict: boolean;
    }
  /** The client's own affair; told when it differs, and nothing more. */
  | { readonly kind: "soft"; readonly label: string; readonly text: string };

/** A request as far as it matters which recorded one it is. */
export interface ReadRequest {
  /** What the client calls the conversation; sub-agents have their own. Empty: it does not say. */
  readonly thread: string;
  /** How often the model has spoken before. */
  readonly turns: number;
  /** The first words of the user. */
  readonly opening: string;
  readonly pieces: readonly Piece[];
}
