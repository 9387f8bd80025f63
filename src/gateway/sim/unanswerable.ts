/** The script has no usable answer for a request; the message names what is missing and reaches the client. */
export class Unanswerable extends Error {
  override readonly name = "Unanswerable";
}
