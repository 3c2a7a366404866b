import { comment, internal, toNano } from '@ton/core';
import type { Address, Contract, ContractProvider, MessageRelaxed, Sender } from '@ton/core';

/** What a contract class would send, as a message. */
export async function messageOf<C extends Contract>(
  contract: C,
  call: (contract: C, provider: ContractProvider, sender: Sender) => Promise<void>,
  from: Address,
): Promise<MessageRelaxed> {
  const messages: MessageRelaxed[] = [];
  const sender: Sender = {
    address: from,
    send: ({ to, value, bounce, init, body }) => {
      messages.push(internal({ to, value, bounce: bounce ?? true, init, body }));
      return Promise.resolve();
    },
  };
  const provider = {
    internal: (via: Sender, args: Parameters<ContractProvider['internal']>[1]) =>
      via.send({
        to: contract.address,
        value: typeof args.value === 'string' ? toNano(args.value) : args.value,
        bounce: args.bounce,
        init: contract.init,
        body: typeof args.body === 'string' ? comment(args.body) : args.body,
      }),
  } as unknown as ContractProvider;
  await call(contract, provider, sender);
  const [message] = messages;
  if (message === undefined) {
    throw new Error('the contract sent nothing');
  }
  return message;
}
