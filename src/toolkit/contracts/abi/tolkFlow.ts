import type { AbiType } from './abiType';
import type { Narrowed, TolkValue } from './tolkOperation';
import type { TolkTypes } from './tolkTypes';

const nothing: Narrowed = new Map();

/** The variables of a Tolk function with what is known of them at a place, while its text is read once. */
export class TolkFlow {
  /** Variables of the blocks around the place, the innermost last. */
  protected readonly scopes: Map<string, AbiType | undefined>[] = [new Map<string, AbiType | undefined>()];
  protected narrowed = new Map<string, AbiType | undefined>();
  /** Whether the place cannot be reached. */
  protected isDead = false;

  constructor(protected readonly types: TolkTypes) {}

  /** The variable holds another value from here on. */
  protected assign({ path, type: declared, parts = [] }: TolkValue, given: AbiType | undefined): void {
    parts.forEach((part, place) => this.assign(part, given && this.types.partOf(given, String(place))));
    if (path === undefined) {
      return;
    }
    this.forget(path);
    const type = this.declaredType(path) ?? declared;
    const resolved = type && this.types.resolve(type);
    if (resolved?.kind !== 'nullable' && resolved?.kind !== 'union') {
      return;
    }
    const isNullable = given !== undefined && this.types.resolve(given).kind === 'nullable';
    if (given === undefined || given.kind === 'null') {
      this.narrowed.set(path, given);
    } else if (resolved.kind === 'nullable' && !isNullable) {
      this.narrowed.set(path, resolved.inner);
    } else if (resolved.kind === 'union') {
      const isUnion = this.types.resolve(given).kind === 'union' || isNullable;
      this.narrowed.set(path, isUnion ? undefined : given);
    }
  }

  /** What was known of a variable beyond its declared type no longer holds. */
  protected forget(path: string): void {
    for (const known of this.narrowed.keys()) {
      if (known === path || known.startsWith(`${path}.`)) {
        this.narrowed.delete(known);
      }
    }
  }

  protected declaredType(path: string): AbiType | undefined {
    const [name = '', ...fields] = path.split('.');
    const own = this.scopes.findLast((scope) => scope.has(name))?.get(name);
    return fields.reduce((type, field) => type && this.types.partOf(type, field), own);
  }

  protected learn(facts: Narrowed = nothing): void {
    facts.forEach((type, path) => this.narrowed.set(path, type));
  }

  /** A place from which one of several ways is taken. */
  protected fork(): { way: <T>(read: () => T) => T; join: () => void } {
    const [before, wasDead] = [this.narrowed, this.isDead];
    const ends: Narrowed[] = [];
    return {
      way: (read) => {
        [this.narrowed, this.isDead] = [new Map(before), wasDead];
        const value = read();
        if (!this.isDead) {
          ends.push(this.narrowed);
        }
        return value;
      },
      join: () => {
        // What all ways leave known is known behind them.
        const [first = nothing, ...others] = ends;
        this.isDead = ends.length === 0;
        this.narrowed = new Map(
          [...first].flatMap(([path, type]) => {
            const joined = others.reduce((one, end) => this.types.joined(one, end.get(path)), type);
            return others.every((end) => end.has(path)) ? [[path, joined] as const] : [];
          }),
        );
      },
    };
  }
}
