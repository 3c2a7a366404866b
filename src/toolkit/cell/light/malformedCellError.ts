/** A cell does not hold what its place in the scheme asks for. */
export class MalformedCellError extends Error {}
