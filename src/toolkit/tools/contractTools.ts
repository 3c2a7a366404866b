import * as z from 'zod';
import type { ContractGroup, ProjectContract } from '../contracts/abi/projectContract';
import { WorkbenchError } from '../base/errors';
import type { Tool, ToolCall } from './tool';
import { defineTool, inputs, onlyDocument, options, word } from './tool';

const describeContract = defineTool({
  name: 'describe_contract',
  title: 'Describe a Contract',
  sentence:
    'Describes a contract: its source file, get-methods with their types, messages with their opcodes and fields, storage, and exit codes. Takes a source file or name of this project, or an account on a network (then also its balance, data, and the answers of its get-methods). Use it before you call, send to, or change a contract.',
  changes: 'nothing',
  input: z.strictObject({
    contract: z
      .string()
      .max(1_000)
      .describe(
        'A source file (contracts/counter.tolk), a contract of the project (Counter), or an account.',
      ),
    network: inputs.network,
  }),
  output: z.looseObject({
    name: z.string().nullable().optional(),
    file: z.string().optional(),
    methods: z.array(z.unknown()).optional().describe('Get-methods with their types.'),
    messages: z.array(z.unknown()).optional(),
    storage: z.unknown().optional(),
    exitCodes: z.array(z.looseObject({ code: z.int(), name: z.string() })).optional(),
    address: z.string().optional(),
  }),
  run: async ({ contract, network }, call) => {
    const project = await call.host.project();
    const { contractGroups } = await import('../contracts/abi/projectContract');
    const wanted = contract.replace(/^\.\//, '');
    const groups = contractGroups(project);
    const ofFile = groups.filter(({ parts }) => parts.some(({ file }) => file === wanted));
    const found = ofFile.length > 0 ? ofFile : groups.filter(({ name }) => name === wanted);
    const [group, another] = found;
    if (group === undefined) {
      const known = groups.map(({ name, source }) => source ?? name);
      const answer = await account(contract, network, known, call);
      const own = groups.find((one) => isSourceOf(one, answer));
      if (own === undefined) {
        return answer;
      }
      const { methods, messages, exitCodes } = await declared(own, project);
      return { ...answer, methods, messages, exitCodes };
    }
    if (another !== undefined) {
      const files = found.map(({ name, source }) => `${name} (${source ?? 'no source'})`);
      call.note(`Several contracts fit; this is the first of: ${files.slice(0, 20).join(', ')}.`);
    }
    return declared(group, project);
  },
});

/** Whether an account's document names the contract as its source. */
function isSourceOf({ name, parts }: ContractGroup, answer: object): boolean {
  const source = 'source' in answer ? (answer.source as { name: string; file: string | null } | null) : null;
  return source?.name === name && parts.some(({ file }) => file === source.file);
}

/** What the account command shows. */
async function account(
  text: string,
  network: string,
  known: readonly string[],
  call: ToolCall,
): Promise<object> {
  const args = [...options({ network, limit: 3 }), '--', word(text)];
  const answer = await call.host.command('account', args, call.signal);
  if (answer.documents.length === 0 && known.length > 0) {
    call.note(`The contracts of this project: ${known.slice(0, 40).join(', ')}.`);
  }
  return onlyDocument(answer, call);
}

/** What the project's files declare. */
async function declared(
  group: ContractGroup,
  project: readonly ProjectContract[],
): Promise<Record<'name' | 'methods' | 'messages' | 'storage' | 'exitCodes', unknown> & { file?: string }> {
  const [
    { describeContract: describe },
    { signatureText },
    { projectLayouts },
    { findStorage, fieldsText, setsOf },
  ] = await Promise.all([
    import('../contracts/abi/contractDescription'),
    import('../contracts/abi/getMethodSignature'),
    import('../contracts/layouts/projectLayouts'),
    import('../contracts/layouts/layoutSet'),
  ]);
  const file = group.source ?? group.parts[0]?.file;
  const { name, source } = group;
  const { methods, errors } = describe({}, project, source === undefined ? name : `${name}, ${source}`);
  const sets = await projectLayouts(project);
  const ref = { name, file };
  const storage = findStorage(sets, ref);
  const structs = setsOf(sets, ref).flatMap((set) =>
    [...set.structs.values()]
      .filter(({ prefix, isStorage }) => prefix !== undefined && !isStorage)
      .map(({ name: struct, prefix, cells, isMessage }) => ({
        name: struct,
        opcode: prefix === undefined ? null : `0x${prefix.value.toString(16)}`,
        fields: fieldsText(cells.flat(), set),
        ...(isMessage ? {} : { receivedHere: false }),
      })),
  );
  return {
    name,
    ...(file === undefined ? {} : { file }),
    methods: methods.map(({ name: method, signature }) => ({
      signature: signature === undefined ? method : signatureText(signature),
      ...(signature?.comment === undefined ? {} : { comment: signature.comment }),
    })),
    messages: [...new Map(structs.map((one) => [`${one.name} ${one.opcode}`, one])).values()],
    storage:
      storage === undefined
        ? null
        : { struct: storage.layout.name, fields: fieldsText(storage.layout.cells.flat(), storage.set) },
    exitCodes: [...errors].map(([code, text]) => ({ code, name: text })),
  };
}

const compile = defineTool({
  name: 'compile',
  title: 'Compile a Contract',
  sentence:
    "Compiles a source (Tolk, FunC, Tact) without deploying or writing build output, and returns the code hash and code of each contract in it, or the compiler's errors with their lines. Use it to check a change.",
  changes: 'files',
  input: z.strictObject({
    file: z.string().max(1_000).describe('The source file, by its path from the root of the project.'),
  }),
  output: z.looseObject({
    contracts: z.array(z.looseObject({ name: z.string(), codeHash: z.string() })),
  }),
  run: async ({ file }, call) => {
    const built = await call.host.compile(file);
    return {
      contracts: built.map(({ name, codeHash, code, compiledBy, notes = [] }) => ({
        ...{ name, codeHash, code, bytes: Math.floor((code.length * 3) / 4) },
        ...(compiledBy === undefined ? {} : { compiledBy }),
        ...(notes.length === 0 ? {} : { notes: [...notes] }),
      })),
    };
  },
});

const inspectBoc = defineTool({
  name: 'inspect_boc',
  title: 'Inspect a Bag of Cells',
  sentence:
    'Decodes a bag of cells (BoC): messages, bodies by the types of this project, transactions, blocks, proofs, and configuration parameters with the place of each field, or with "code" the instructions of a contract; with "compareWith" where two differ. Use it instead of decoding hex or base64 yourself.',
  changes: 'nothing',
  input: z.strictObject({
    boc: z.string().max(400_000).describe('Base64, hex, or a file below the root.'),
    code: z.boolean().optional().describe('Disassemble it as code.'),
    compareWith: z.string().max(400_000).optional().describe('Another BoC: tells where they differ.'),
    abi: z.string().max(1_000).optional().describe('A compiler ABI file to decode with.'),
    struct: z
      .string()
      .max(200)
      .optional()
      .describe(
        'With "abi": the struct that it is. Without: a type of block.tlb, such as Block or ConfigParam20.',
      ),
  }),
  output: z.looseObject({
    decoded: z.unknown().optional(),
    structure: z.unknown().optional().describe('A block, proof, or parameter of the configuration.'),
    roots: z.array(z.unknown()).optional(),
    text: z.string().optional().describe('With "code": the instructions.'),
  }),
  run: async ({ boc, code, compareWith, abi, struct }, call) => {
    const given = { code, compare: compareWith, abi, as: struct };
    const args = [...options(given), '--', word(boc)];
    return onlyDocument(await call.host.command('boc', args, call.signal), call);
  },
});

const explainExitCode = defineTool({
  name: 'explain_exit_code',
  title: 'Explain an Exit Code',
  sentence:
    "Explains an exit code or action result code: the machine's meaning, and the names that this project's contracts give it. Name the contract if you know it: numbers from 256 on mean whatever the contract says.",
  changes: 'nothing',
  input: z.strictObject({
    code: z
      .int()
      .min(-(2 ** 31))
      .max(2 ** 31),
    phase: z.enum(['compute', 'action', 'get-method']).default('compute'),
    contract: z.string().max(200).optional().describe("The contract's name or source file in this project."),
  }),
  output: z.looseObject({
    code: z.int(),
    name: z.string().nullable(),
    cause: z.string().optional(),
    by: z.string().optional().describe('Who gives it this meaning: machine, contract, or standard.'),
    inProject: z.array(z.looseObject({ contract: z.string(), name: z.string() })),
  }),
  run: async ({ code, phase, contract }, { host }) => {
    const [{ explainExitCode: explain, unexplainedExit }, { contractGroups }] = await Promise.all([
      import('../contracts/exitCodes'),
      import('../contracts/abi/projectContract'),
    ]);
    const groups = contractGroups(await host.project());
    const isMeant = ({ name, source }: ContractGroup): boolean =>
      contract === undefined || name === contract || source === contract;
    const named = groups.filter(isMeant).flatMap(({ name, source, parts }) => {
      const text = parts.map(({ errors }) => errors.get(code)).find((one) => one !== undefined);
      return text === undefined || phase === 'action'
        ? []
        : [{ contract: name, ...(source === undefined ? {} : { file: source }), name: text }];
    });
    const own = contract === undefined ? undefined : named[0]?.name;
    const errors = own === undefined ? undefined : new Map([[code, own]]);
    const explained = explain(code, phase, { errors });
    return {
      ...{ code, phase },
      name: explained?.name ?? null,
      ...(explained?.cause === undefined ? {} : { cause: explained.cause }),
      ...(explained === undefined ? { meaning: unexplainedExit() } : { by: explained.by }),
      inProject: named,
    };
  },
});

const searchApi = defineTool({
  name: 'search_api',
  title: 'Search the API Endpoints',
  sentence:
    'Finds endpoints of TON HTTP API v2 and v3 by words, with their parameters, or describes one by its exact path. Every endpoint is in the table. Use it before you write code that calls the API.',
  changes: 'nothing',
  input: z.strictObject({
    query: z.string().max(200).describe('Words, or a name or path such as "traces" or "jetton/wallets".'),
    api: z.enum(['v2', 'v3']).optional(),
    limit: z.int().min(1).max(200).default(12),
  }),
  output: z.looseObject({
    endpoints: z.array(
      z.looseObject({
        api: z.string(),
        path: z.string(),
        purpose: z.string(),
        parameters: z.array(z.unknown()),
      }),
    ),
    found: z.int().describe('How many fit; the best are listed.'),
  }),
  run: async ({ query, api, limit }) => {
    const { allEndpoints } = await import('../access/listEndpoints');
    const words = query.toLowerCase().match(/[a-z0-9]+/g) ?? [];
    const scored = allEndpoints()
      .filter(({ endpoint }) => api === undefined || endpoint.layer === api)
      .map(({ name, endpoint }) => {
        const head = `${name} ${endpoint.path}`.toLowerCase();
        const rest = `${endpoint.purpose} ${Object.keys(endpoint.parameters).join(' ')}`.toLowerCase();
        const exact = [name.toLowerCase(), endpoint.path.slice(1).toLowerCase()].includes(
          query.trim().replace(/^\//, '').toLowerCase(),
        );
        const score = words.reduce(
          (sum, one) => sum + (head.includes(one) ? 3 : 0) + (rest.includes(one) ? 1 : 0),
          exact ? 100 : 0,
        );
        return { endpoint, score };
      })
      .filter(({ score }) => score > 0 || words.length === 0)
      .sort((a, b) => b.score - a.score);
    return {
      found: scored.length,
      endpoints: scored.slice(0, limit).map(({ endpoint }) => ({
        api: endpoint.layer,
        path: `/api/${endpoint.layer}${endpoint.path}`,
        methods: endpoint.methods,
        purpose: endpoint.purpose,
        parameters: Object.entries(endpoint.parameters).map(([parameter, { kind, required, repeated }]) => ({
          name: parameter,
          kind,
          ...(required ? { required } : {}),
          ...(repeated ? { repeated } : {}),
        })),
      })),
    };
  },
});

const checkWebhook = defineTool({
  name: 'check_webhook',
  title: 'Check a Webhook Receiver',
  sentence:
    "Sends every scenario of a payment service's webhooks to a receiver on this machine and reports, rule by rule, what it does wrong. Takes some seconds. The secret is read from a file of the project; it is not part of the call.",
  changes: 'nothing',
  input: z.strictObject({
    url: z.string().max(2_000).describe('The receiver: http://localhost:3000/webhook.'),
    secretFile: z.string().max(1_000).optional().describe('The file below the root that holds the secret.'),
    provider: z
      .enum(['ton-pay', 'tonapi', 'bicycle', 'standard-webhooks', 'hmac'])
      .default('ton-pay')
      .describe('Whose deliveries.'),
  }),
  output: z.looseObject({ rules: z.array(z.looseObject({ rule: z.string(), ok: z.boolean() })) }),
  run: async ({ url, secretFile, provider }, call) => {
    const { isLoopbackHost } = await import('../base/loopback');
    const host = hostOf(url);
    if (host === undefined || !isLoopbackHost(host)) {
      throw new WorkbenchError({
        code: 'tool-input-invalid',
        kind: 'input',
        message: 'check_webhook sends to receivers on this machine only.',
        hint: 'Give a URL such as http://localhost:3000/webhook.',
      });
    }
    const args = options({ url, 'secret-file': secretFile, provider });
    return onlyDocument(await call.host.command('webhook check', args, call.signal), call);
  },
});

function hostOf(url: string): string | undefined {
  try {
    return new URL(url).hostname;
  } catch {
    return undefined;
  }
}

/** Tools about contracts, values, codes, and endpoints. */
export const contractTools: readonly Tool[] = [
  describeContract,
  compile,
  inspectBoc,
  explainExitCode,
  searchApi,
  checkWebhook,
];
