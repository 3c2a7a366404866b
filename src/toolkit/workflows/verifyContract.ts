import { Cell } from '@ton/core';
import * as z from 'zod';
import type { Access, CallOptions } from '../access/createAccess';
import type { Transport } from '../access/transport';
import type { BuiltContract } from '../build/readBuiltContract';
import { WorkbenchError, toWorkbenchError } from '../base/errors';
import { visibleText } from '../base/text';
import type { ChangedMethod } from '../contracts/abi/codeMethods';
import { changedMethods, methodName } from '../contracts/abi/codeMethods';
import type { DeployedCode } from '../contracts/abi/contractDescription';
import { methodIdOf } from '../contracts/abi/methodIdOf';
import { readDeployedCode } from '../getMethods/readDeployedCode';

/** A method that differs, as people name it. */
export interface DifferingMethod extends ChangedMethod {
  /** `onInternalMessage`, the name in the source, or `method 123`. */
  name: string;
}

/** Whether the code on the chain is what a source compiles to. */
export interface SourceVerdict {
  /** `absent`: there is no code at the address. */
  state: 'same' | 'differs' | 'absent';
  /** Of the code on the chain, lowercase hex. */
  chainHash: string | undefined;
  /** Of what the source compiles to, lowercase hex. */
  sourceHash: string;
  /** The first code is the chain's. Undefined if one of them cannot be read by methods, or is not there. */
  methods: readonly DifferingMethod[] | undefined;
}

/**
 * Compares the code at an address with what a source compiles to.
 *
 * @param address raw
 * @param names of the get-methods in the source
 * @throws WorkbenchError the network's errors
 */
export async function verifyContract(
  access: Access,
  address: string,
  built: Pick<BuiltContract, 'code' | 'codeHash'>,
  names: readonly string[],
  call: CallOptions,
): Promise<SourceVerdict> {
  return codeVerdict(await readDeployedCode(access, address, call), built, names);
}

/**
 * Compares a deployed code with what a source compiles to.
 * @param names of the get-methods in the source
 */
export function codeVerdict(
  { code, codeHash }: DeployedCode,
  built: Pick<BuiltContract, 'code' | 'codeHash'>,
  names: readonly string[],
): SourceVerdict {
  const known = { chainHash: codeHash, sourceHash: built.codeHash };
  if (code === undefined) {
    return { ...known, state: 'absent', methods: undefined };
  }
  if (codeHash === built.codeHash) {
    return { ...known, state: 'same', methods: [] };
  }
  const ids = new Map(names.map((name) => [methodIdOf(name), name]));
  const methods = changedMethods(code, Cell.fromBase64(built.code))?.map((one) => ({
    ...one,
    name: receivers.get(one.id) ?? ids.get(one.id) ?? methodName(one.id) ?? `method ${one.id}`,
  }));
  return { ...known, state: 'differs', methods };
}

/** Where a method differs, in words. */
export const changeWords = {
  changed: 'changed',
  'only in the first': 'only on the chain',
  'only in the second': 'only in the source',
} as const;

/** The entries of a contract that are no get-methods. */
const receivers: ReadonlyMap<number, string> = new Map([
  [0, 'onInternalMessage'],
  [-1, 'onExternalMessage'],
  [-2, 'onRunTickTock'],
]);

/** A verdict in a few words: `= counter.tolk, Tolk 1.3.0`, `differs from counter.tolk in 2 methods`. */
export function verdictWords(
  { state, methods }: SourceVerdict,
  file: string,
  compiledBy: string | undefined,
): string {
  switch (state) {
    case 'same':
      return `= ${visibleText(file)}${compiledBy === undefined ? '' : `, ${visibleText(compiledBy)}`}`;
    case 'absent':
      return 'is not deployed';
    case 'differs': {
      const count = methods?.length;
      const where =
        count === undefined || count === 0 ? '' : ` in ${count} ${count === 1 ? 'method' : 'methods'}`;
      return `differs from ${visibleText(file)}${where}`;
    }
  }
}

const verifierSchema = z.looseObject({
  verified: z.boolean(),
  code_hash: z.string().nullish(),
  bundle: z.looseObject({ compiler: z.unknown().optional() }).nullish(),
});

/** Bytes of a verifier's answer, which may hold all of a contract's sources. */
const mostBytes = 8 * 1024 * 1024;

/**
 * What a verifier service says about an address, in a sentence: shown beside our own verdict, never instead of it.
 *
 * @param service base URL of its API, which has `/verification/source`
 * @param address friendly
 */
export async function askVerifier(
  service: string,
  address: string,
  { transport, signal }: { transport: Transport; signal: AbortSignal },
): Promise<string> {
  const { host } = new URL(service);
  try {
    const answer = await transport({
      url: `${service.replace(/\/$/, '')}/verification/source?address=${encodeURIComponent(address)}`,
      method: 'GET',
      headers: { accept: 'application/json' },
      maximumBytes: mostBytes,
      signal,
    });
    if (answer.status === 404) {
      return `${host}: not verified there`;
    }
    if (answer.status !== 200) {
      return `${host}: no answer (HTTP ${answer.status})`;
    }
    const { verified } = verifierSchema.parse(JSON.parse(Buffer.from(answer.body).toString('utf8')));
    return `${host}: ${verified ? 'verified' : 'not verified there'}`;
  } catch (error) {
    signal.throwIfAborted();
    const reason =
      error instanceof z.ZodError ? 'an answer that cannot be read' : toWorkbenchError(error).message;
    return `${host}: unknown, ${visibleText(reason)}`;
  }
}

/**
 * The address of a verifier's API from a setting; undefined if there is none.
 * @throws WorkbenchError `argument-invalid` (input)
 */
export function verifierUrl(text: string | undefined, source: string): string | undefined {
  if (text === undefined || text.trim() === '') {
    return undefined;
  }
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new WorkbenchError({
      code: 'argument-invalid',
      kind: 'input',
      message: `${source} is not an http or https URL: ${JSON.stringify(text.slice(0, 200))}.`,
      hint: 'Give the base of its API, such as https://verifier.example/api/v1.',
    });
  }
  return text;
}
