import { createHash } from 'node:crypto';
import { bocLimits } from '../cell/bocMagics';
import { readBoc } from '../cell/readBoc';
import { bocTextToBytes } from '../cell/parseBocInput';
import { lowerHex } from '../address/lowerHex';
import { WorkbenchError } from '../base/errors';
import { fileName } from '../base/text';
import { limits } from '../base/limits';

/** How the files are named in which Acton keeps a contract's sources, code, ABI, and source map. */
export const bundleEnding = '.source.json';

/** What a compiler or a build tool has written about a contract. */
export interface Artifact {
  /** The contract's name in it. */
  name?: string | undefined;
  /** The code cell, a BoC in base64; undefined for a mere ABI. */
  code?: string | undefined;
  /** Hash of the code cell, lowercase hex. */
  codeHash?: string | undefined;
  /** The compiler's ABI as JSON. */
  abi?: string | undefined;
  /** The texts that it was built from, as far as they are recorded; without those of the compiler's own library. */
  sources: readonly RecordedSource[];
  /** The path of the contract's own source among them. */
  entry?: string | undefined;
  /** `Tolk 1.4.2` */
  compiler?: string | undefined;
  /** What Tact says of the initial data: its `init` and `compiler`. */
  tact?: { init: unknown; compiler: unknown } | undefined;
}

/** A source as it was when a contract was built. */
export interface RecordedSource {
  /** Relative to the project's root. */
  path: string;
  /** SHA-256 of its text, lowercase hex. */
  hash: string;
}

type Json = Readonly<Record<string, unknown>>;

/** Fields in which the Tolk, FunC, and Tact compilers and the tools around them put the code: a BoC in base64, or in hex. */
const codeFields = [
  'codeBoc64',
  'codeBoc',
  'code_boc64',
  'code',
  'boc',
  'base64',
  'hex',
  'code_hex',
] as const;
const languageNames: Readonly<Record<string, string>> = { tolk: 'Tolk', func: 'FunC', tact: 'Tact' };
/** Fields with the hash of the code cell in hex. */
const hashFields = ['code_hash', 'code_hash_hex', 'codeHashHex', 'hash'] as const;

/**
 * Reads what was built of a contract, the one reader of all of it: Blueprint's `build/NAME.compiled.json`, Acton's
 * `build/ID.json`, `build/abi/ID.json`, and `ID.source.json`, Tact's `*.pkg` and `*.abi`, a `.boc` with code, and what
 * compilers print as JSON.
 *
 * @param content the text of the file; of a `.boc` its BoC in base64 or hex
 * @throws WorkbenchError `build-unreadable` (input): it is not JSON, its code cannot be read, or the hash in it is not that
 *   of its code
 */
export function readArtifact(content: string, path: string): Artifact {
  if (/\.boc$/i.test(path)) {
    return { ...codeOf(content, path), sources: [] };
  }
  const whole = jsonOf(content, path);
  const bundle = objectOf(whole['bundle']) ?? {};
  const map = objectOf(bundle['source_map']) ?? objectOf(whole['source_map']) ?? {};
  const given = [whole, map].flatMap((one) => codeFields.map((field) => textOf(one[field]))).find(Boolean);
  const code: Pick<Artifact, 'code' | 'codeHash'> = given === undefined ? {} : codeOf(given, path);
  const stated = hashFields.map((field) => textOf(whole[field])).find((hash) => isHash(hash));
  if (code.codeHash !== undefined && stated !== undefined && lowerHex(stated) !== code.codeHash) {
    throw unreadable(`the hash in ${fileName(path)} is not that of its code`);
  }
  return {
    ...code,
    name: textOf(whole['contractName']) ?? textOf(whole['name']),
    abi: abiOf(whole, bundle, path),
    ...sourcesOf(whole, bundle),
    compiler: compilerOf(whole, bundle),
    ...(whole['init'] === undefined ? {} : { tact: { init: whole['init'], compiler: whole['compiler'] } }),
  };
}

/** SHA-256 of a text as builds record it, lowercase hex. */
export function recordedHash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function codeOf(text: string, path: string): Required<Pick<Artifact, 'code' | 'codeHash'>> {
  try {
    const bytes = bocTextToBytes(text);
    const boc = readBoc(bytes, { ...bocLimits, cells: limits.codeCells.most });
    return { code: bytes.toString('base64'), codeHash: boc.hashHex(boc.roots[0] ?? 0) };
  } catch (cause) {
    const why = cause instanceof WorkbenchError ? `: ${cause.message.replace(/\.$/, '')}` : '';
    throw unreadable(`the code in ${fileName(path)} cannot be read${why}`, cause);
  }
}

function abiOf(whole: Json, bundle: Json, path: string): string | undefined {
  const isAbi = typeof whole['abi_schema_version'] === 'string' || /\.abi$/i.test(path);
  // Tact's package holds it as text.
  const abi = isAbi ? whole : (whole['abi'] ?? bundle['compiler_abi']);
  return typeof abi === 'string' ? abi : objectOf(abi) === undefined ? undefined : JSON.stringify(abi);
}

function sourcesOf(whole: Json, bundle: Json): Pick<Artifact, 'sources' | 'entry'> {
  const bundled = listOf(bundle['files']).flatMap((one): RecordedSource[] => {
    const [path, hash, content] = [one['path'], one['content_hash'], one['content']].map(textOf);
    const known = hash ?? (content === undefined ? undefined : recordedHash(content));
    return path === undefined || known === undefined || one['is_stdlib'] === true || !path.endsWith('.tolk')
      ? []
      : [{ path, hash: lowerHex(known) }];
  });
  const packed = Object.entries(objectOf(whole['sources']) ?? {}).flatMap(([path, text]): RecordedSource[] =>
    typeof text === 'string'
      ? [{ path, hash: recordedHash(Buffer.from(text, 'base64').toString('utf8')) }]
      : [],
  );
  return { sources: [...bundled, ...packed], entry: textOf(bundle['entrypoint']) };
}

function compilerOf(whole: Json, bundle: Json): string | undefined {
  const { language, name, version } = objectOf(bundle['compiler']) ?? objectOf(whole['compiler']) ?? {};
  const called = textOf(language) ?? textOf(name);
  return called === undefined || textOf(version) === undefined
    ? undefined
    : `${languageNames[called] ?? called} ${textOf(version)}`;
}

function jsonOf(text: string, path: string): Json {
  try {
    const json = objectOf(JSON.parse(text));
    if (json !== undefined) {
      return json;
    }
  } catch (cause) {
    throw unreadable(`${fileName(path)} is not JSON`, cause, /\.(?:json|pkg|abi)$/i.test(path));
  }
  throw unreadable(`${fileName(path)} is not what a compiler writes`);
}

function isHash(text: string | undefined): boolean {
  return text !== undefined && /^[0-9a-f]{64}$/i.test(text);
}

function objectOf(value: unknown): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
}

function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(objectOf).filter((one) => one !== undefined) : [];
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function unreadable(why: string, cause?: unknown, isBuilt = true): WorkbenchError {
  return new WorkbenchError({
    code: 'build-unreadable',
    kind: 'input',
    message: `There is no compiled code to read: ${why}.`,
    hint: isBuilt
      ? "Run the project's build again."
      : 'Give a source (*.tolk, *.fc, *.tact), or what a compiler has made of it (*.json, *.pkg, *.boc).',
    cause,
  });
}
