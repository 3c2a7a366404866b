import { findSourceMap } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { runInThisContext } from 'node:vm';

/** A place in a source: an absolute path, line and column from one. */
interface SourcePlace {
  file: string;
  line: number;
  column: number;
}

/** Jest runs tests in contexts of their own, and translates the frames of all by this one. */
const mainError = runInThisContext('Error') as typeof Error;
const depth = 50;
const isForeign = /^node:|[\\/]node_modules[\\/]|^evalmachine|^internal[\\/]/;

/**
 * Finds which line of a test made a call, through promises, too. A place is read through its source map once: that takes
 * much longer than to look at the frames.
 */
export class CallPlaces {
  readonly #known = new Map<string, SourcePlace | undefined>();

  /** @param own the file of the recorder, whose frames do not count */
  constructor(private readonly own: string) {}

  /**
   * The innermost frame in the test file; if there is none, the innermost one of the project.
   *
   * @param testFile absolute; undefined if it is not known
   */
  find(testFile: string | undefined): SourcePlace | undefined {
    const { stackTraceLimit } = Error;
    const prepareStackTrace = prepareOf(Error);
    let sites: NodeJS.CallSite[] = [];
    try {
      Error.stackTraceLimit = depth;
      Error.prepareStackTrace = (_error, found) => found;
      const holder: { stack?: NodeJS.CallSite[] } = {};
      Error.captureStackTrace(holder);
      sites = holder.stack ?? [];
    } finally {
      Error.stackTraceLimit = stackTraceLimit;
      Error.prepareStackTrace = prepareStackTrace;
    }
    const files = sites.map((site) => pathOf(site.getFileName() ?? ''));
    const own = (file: string): boolean => file !== '' && file !== this.own && !isForeign.test(file);
    const inTest = testFile === undefined ? -1 : files.indexOf(testFile);
    const index = inTest < 0 ? files.findIndex(own) : inTest;
    const site = sites[index];
    return site && this.#mapped(site, files[index] ?? '', prepareStackTrace ?? prepareOf(mainError));
  }

  #mapped(
    site: NodeJS.CallSite,
    file: string,
    prepare: typeof Error.prepareStackTrace,
  ): SourcePlace | undefined {
    const place = { file, line: site.getLineNumber() ?? 0, column: site.getColumnNumber() ?? 0 };
    const key = `${place.line}:${place.column}:${file}`;
    if (!this.#known.has(key)) {
      this.#known.set(key, byRunner(site, prepare) ?? byNode(place));
    }
    return this.#known.get(key);
  }
}

function prepareOf(error: typeof Error): typeof Error.prepareStackTrace {
  // oxlint-disable-next-line typescript/unbound-method -- V8 calls it without `this`, too
  return error.prepareStackTrace;
}

/** Runners that translate tests install a function that writes frames in places of the source. */
function byRunner(site: NodeJS.CallSite, prepare: typeof Error.prepareStackTrace): SourcePlace | undefined {
  const text: unknown = prepare?.(new Error(), [site]);
  if (typeof text !== 'string') {
    return undefined;
  }
  // `at name (file:1:2)`, or without a name `at file:1:2`.
  const frame = text.slice(text.lastIndexOf('\n') + 1).trim();
  const whole = frame.endsWith(')')
    ? frame.slice(frame.indexOf(' (') + 2, -1)
    : frame.replace(/^at (?:async )?/, '');
  const parts = whole.split(':');
  const [line = 0, column = 0] = parts.splice(-2).map(Number);
  return line > 0 ? { file: pathOf(parts.join(':')), line, column } : undefined;
}

/** With --enable-source-maps. */
function byNode(place: SourcePlace): SourcePlace {
  const found = findSourceMap(place.file)?.findEntry(place.line - 1, place.column - 1);
  return found === undefined || !('originalSource' in found)
    ? place
    : {
        file: path.resolve(path.dirname(place.file), pathOf(found.originalSource)),
        line: found.originalLine + 1,
        column: found.originalColumn + 1,
      };
}

function pathOf(file: string): string {
  try {
    return file.startsWith('file:') ? fileURLToPath(file) : file;
  } catch {
    return file;
  }
}
