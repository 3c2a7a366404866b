/** A part of the text, in UTF-16 code units. */
export interface Place {
  offset: number;
  length: number;
}

/** Something that is wrong with the text. */
export interface CallSheetProblem extends Place {
  /** A whole sentence. */
  message: string;
  /** What to write instead: a whole sentence. */
  suggestion?: string | undefined;
  /** About a value read without names and types: may be right, or be said better, where they are known. */
  isUntyped?: true;
}

/** A piece of text and where it stands. */
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
  /** The text behind `###`, or `target method`. */
  title: string;
  /** Where the `###` line stands, or the call itself: the place for lenses. */
  header: Place;
  target: PlacedText;
  method: PlacedText;
  /** What stands between the brackets. */
  arguments: PlacedText;
  /** `@network` of this call alone. */
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
