/** The instruction of a mark in a listing, for a function without others: a comment. */
export function markInListing(mark: number): string {
  return `// ton-workbench ${mark}`;
}

const marksInListing = /^ *\/\/ ton-workbench (\d+)$/gm;

/** A listing whose marks are instructions, as the FunC compiler writes its own. */
export function withDebugMarks(listing: string): string {
  return listing.replaceAll(marksInListing, '$1 DEBUGMARK');
}
