import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { root } from '../../scripts/lib/root.mjs';

/** The running shop of examples/checkout. */
export interface CheckoutShop {
  child: ChildProcess;
  url: string;
}

/** Starts the shop with these settings; its first line is its URL. */
export async function startCheckoutShop(environment: NodeJS.ProcessEnv): Promise<CheckoutShop> {
  const child = spawn(process.execPath, ['server.mjs'], {
    cwd: path.join(root, 'examples/checkout'),
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve);
    child.once('exit', (code) => reject(new Error(`the shop ended with ${code}`)));
  });
  return { child, ...(JSON.parse(line) as { url: string }) };
}
