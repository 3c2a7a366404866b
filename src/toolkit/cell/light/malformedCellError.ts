/** A cell's contents do not match the scheme. */
export class MalformedCellError extends Error {}
