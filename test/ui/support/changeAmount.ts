import type { Workbench } from './workbench';

/** Answers the questions for another body of a `Withdraw` up to its amount, which it changes. */
export async function changeAmount({ quickInput }: Workbench, amount: string): Promise<void> {
  await quickInput.pick('Message Body');
  await quickInput.accept();
  await quickInput.asks(/queryId of Till Withdraw/);
  await quickInput.accept();
  await quickInput.asks(/amount of Till Withdraw/);
  await quickInput.fill(amount);
}
