/** A file, or what one in an archive unpacks to. */
export interface PackedFile {
  readonly name: string;
  readonly bytes: Buffer;
}
