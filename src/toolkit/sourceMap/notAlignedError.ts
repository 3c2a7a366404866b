/** The listing is not what the code was assembled from, or it has a form that is not known. */
export class NotAlignedError extends Error {
  /** @param isOfCompiler whether nothing differs, but the compiler does not tell lines */
  constructor(
    message: string,
    readonly isOfCompiler = false,
  ) {
    super(message);
  }
}
