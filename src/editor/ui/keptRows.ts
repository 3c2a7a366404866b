/**
 * Keeps row objects across readings of a view. When a whole view is refreshed, the editor forgets its rows until it
 * has read them again, and a button clicked meanwhile arrives without its row. So rows that stay keep their objects,
 * by which the editor identifies them, and are refreshed one by one; the whole view is refreshed only if rows come,
 * go, or move.
 */
export class KeptRows<Row extends object> {
  readonly #idOf: (row: Row) => string;
  readonly #isSame: (before: Row, now: Row) => boolean;
  #rows: readonly Row[] = [];

  /**
   * @param idOf stable across readings
   * @param isSame whether a row looks as before; default: never
   */
  constructor(idOf: (row: Row) => string, isSame: (before: Row, now: Row) => boolean = () => false) {
    this.#idOf = idOf;
    this.#isSame = isSame;
  }

  rows(): readonly Row[] {
    return this.#rows;
  }

  /**
   * Takes over what was read.
   * @returns the rows to refresh, or undefined for the whole view
   */
  update(read: readonly Row[]): Row[] | undefined {
    const before = this.#rows;
    const known = new Map(before.map((row) => [this.#idOf(row), row]));
    const changed: Row[] = [];
    this.#rows = read.map((row) => {
      const kept = known.get(this.#idOf(row));
      if (kept === undefined || kept === row) {
        return row;
      }
      if (!this.#isSame(kept, row)) {
        changed.push(kept);
      }
      Object.keys(kept).forEach((key) => Reflect.deleteProperty(kept, key));
      return Object.assign(kept, row);
    });
    const isSameList =
      before.length === read.length && before.every((row, index) => row === this.#rows[index]);
    return isSameList ? changed : undefined;
  }
}
