/** Functions that the receivers of several services have, and calls of them. */
export const commonCode = {
  refuseForged: `  if (!isGenuine(body, headers, secret)) {
    return 401;
  }
`,
  accountOf: `/** An address in one spelling: raw and friendly ones name the same account. */
function accountOf(address) {
  const raw = /^(-?\\d+):([0-9a-f]{64})$/i.exec(address);
  const friendly = Buffer.from(String(address), 'base64url');
  if (raw) {
    return raw[1] + ':' + Buffer.from(raw[2], 'hex').toString('hex');
  }
  return friendly.length === 36 ? friendly.readInt8(1) + ':' + friendly.toString('hex', 2, 34) : address;
}
`,
  storeOnce: `/** Stores what was done under its key; false if it was done before. It is on disk before the delivery is answered. */
async function storeOnce(folder, key, record) {
  const name = createHash('sha256').update(key).digest('hex');
  await mkdir(folder, { recursive: true });
  // Written aside, then linked: a name can be made only once, also by two deliveries at the same time.
  const draft = join(folder, name + '.' + randomUUID());
  const file = await open(draft, 'wx');
  try {
    await file.writeFile(JSON.stringify(record));
    await file.sync();
  } finally {
    await file.close();
  }
  try {
    await link(draft, join(folder, name + '.json'));
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') {
      return false;
    }
    throw error;
  } finally {
    await unlink(draft);
  }
}
`,
  /** Of a test: a folder for what is paid. */
  testFolder: `let folder;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'paid-orders-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function countPaid() {
  return (await readdir(folder)).length;
}
`,
} as const;
