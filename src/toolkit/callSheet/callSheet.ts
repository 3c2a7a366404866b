/** A part of the text, in UTF-16 code units. */
export interface Place {
  offset: number;
  length: number;
}

/** An error in the text. */
export interface CallSheetProblem extends Place {
  /** A whole sentence. */
  message: string;
  /** The fix: a whole sentence. */
  suggestion?: string | undefined;
  /** About a value read without names and types: once they are known, it may be valid or have a better message. */
  isUntyped?: true;
}

/** A piece of text and its position. */
export interface PlacedText extends Place {
  text: string;
}

/** `@name = value`: stack text of one value, most often an address. */
export interface SheetVariable {
  name: PlacedText;
  value: PlacedText;
}

export type Comparison = '==' | '!=' | '<' | '<=' | '>' | '>=';

/** `expect exit 0`, `expect gas < 5000`, `expect 0 == 42`, `expect 1.0 == addr alice`. */
export interface Expectation extends Place {
  subject: { kind: 'exit' | 'gas' } | { kind: 'entry'; path: number[] };
  comparison: Comparison;
  /** Stack text of one value. */
  value: PlacedText;
}

/** One call of a sheet. */
export interface SheetCall extends Place {
  /** The text after `###`, or `target method`. */
  title: string;
  /** Position of the `###` line, or of the call itself: the place for lenses. */
  header: Place;
  target: PlacedText;
  method: PlacedText;
  /** The text between the brackets. */
  arguments: PlacedText;
  /** `@network` of this call only. */
  network?: PlacedText;
  expectations: Expectation[];
}

/** A parsed sheet. */
export interface CallSheet {
  /** `@network` above the first call. */
  network?: PlacedText;
  variables: SheetVariable[];
  calls: SheetCall[];
  problems: CallSheetProblem[];
}
