const sources: readonly (readonly [module: string, names: readonly string[]])[] = [
  ['node:assert/strict', ['assert']],
  ['node:crypto', ['createHash', 'createHmac', 'randomUUID', 'timingSafeEqual']],
  ['node:events', ['once']],
  ['node:fs', ['realpathSync']],
  ['node:fs/promises', ['link', 'mkdir', 'mkdtemp', 'open', 'readdir', 'rm', 'unlink']],
  ['node:http', ['createServer']],
  ['node:os', ['tmpdir']],
  ['node:path', ['join']],
  ['node:test', ['afterEach', 'beforeEach', 'test']],
  ['node:timers/promises', ['setTimeout']],
  ['node:url', ['fileURLToPath']],
  ['express', ['express']],
  ['fastify', ['fastify']],
];

const defaults: readonly string[] = ['assert', 'express', 'fastify'];

/** The import lines for the functions that code calls, with an empty line after them; empty if it needs none. */
export function importsOf(code: string): string {
  const called = new Set([...code.matchAll(/(?<![.\w])(\w+)[.(]/g)].map(([, name]) => name));
  const lines = sources.flatMap(([module, names]) => {
    const used = names.filter((name) => called.has(name));
    if (used.length === 0) {
      return [];
    }
    const isDefault = used.every((name) => defaults.includes(name));
    return [`import ${isDefault ? used.join() : `{ ${used.join(', ')} }`} from '${module}';\n`];
  });
  return lines.length === 0 ? '' : `${lines.join('')}\n`;
}
