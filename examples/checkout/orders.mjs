import { open, readFile, rename } from 'node:fs/promises';

/**
 * The shop's orders, in one file. What `change` has answered is on the disk: only then may the shop tell the payment
 * service that it has understood.
 */
export async function openOrders(file) {
  const text = await readFile(file, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') {
      return '[]';
    }
    throw error;
  });
  let orders = new Map(JSON.parse(text).map((order) => [order.reference, order]));
  const timesPaid = new Map();
  let last = Promise.resolve();

  const write = async (next) => {
    const fresh = await open(`${file}.new`, 'w');
    try {
      await fresh.writeFile(JSON.stringify([...next.values()], null, 2));
      await fresh.sync();
    } finally {
      await fresh.close();
    }
    await rename(`${file}.new`, file);
    orders = next;
  };

  return {
    /** For tests: how often an order was marked as paid. */
    timesPaid: (reference) => timesPaid.get(reference) ?? 0,
    find: (reference) => orders.get(reference),
    all: () => [...orders.values()],
    /** Changes one order after the other, so two deliveries of a payment cannot both find it open. */
    change: (reference, edit) => {
      const done = last.then(async () => {
        const changed = edit(orders.get(reference));
        if (changed !== undefined) {
          await write(new Map(orders).set(reference, changed));
          if (changed.state === 'paid') {
            timesPaid.set(reference, (timesPaid.get(reference) ?? 0) + 1);
          }
        }
      });
      last = done.catch(() => undefined);
      return done;
    },
  };
}
