import { bareName } from '../../toolkit/address/resolveAccount';
import { WorkbenchError, errorSentences } from '../../toolkit/base/errors';
import type { Message } from '../../toolkit/contracts/layouts/messagesOfContract';
import { accountSuggestions, knownAccounts } from '../project/accountName';
import type { AskedField } from '../project/askField';
import type { FieldQuestions } from '../project/fieldQuestions';
import type { TraceServices } from '../traces/liveTraces';
import type { Back, Suggestion } from '../ui/askText';
import { askText, back, pickOrType } from '../ui/askText';
import type { ComposeAsking } from './composeAsking';

type Answer = string | Back | undefined;

const title = 'TON: Compose Message';

/**
 * Asks for a message: destination, amount, body, and sender, each validated while typing, with a back button.
 * The body is text, or one of the destination's messages: then a form has its fields, the amount, and the sender.
 * The first box also accepts the whole line.
 * @returns the line, undefined if the user canceled
 */
export async function askComposedLine(
  services: TraceServices,
  asking: ComposeAsking,
): Promise<string | undefined> {
  return new ComposeConversation(services, asking).line();
}

type Step = 'destination' | 'amount' | 'body' | 'form' | 'sender';

/** The parts of a line, in the order in which they are asked for. */
class ComposeConversation {
  #destination: string;
  #amount = '';
  /** Body, state init, and bounce flag, as clauses. */
  #rest = '';
  #sender: string;
  #message: Message | undefined;
  #fields: FieldQuestions | undefined;
  #messages: readonly Message[] = [];

  constructor(
    private readonly services: TraceServices,
    private readonly asking: ComposeAsking,
  ) {
    this.#destination = asking.destination ?? '';
    this.#sender = asking.sender ?? '';
    this.#message = asking.message;
    this.#amount = asking.deploys?.value ?? '';
    this.#rest = asking.deploys?.clauses ?? '';
  }

  async line(): Promise<string | undefined> {
    if (this.#message !== undefined) {
      this.#fields = await this.asking.fieldsOf(this.#message);
    }
    let place = this.#steps().indexOf('destination') === 0 && this.#destination !== '' ? 1 : 0;
    let isBack = false;
    for (let steps = this.#steps(); place < steps.length; steps = this.#steps()) {
      const answer = await this.#ask(steps[place]!, isBack);
      if (answer === undefined || (answer === back && place === 0)) {
        return undefined;
      }
      isBack = answer === back;
      if (answer === back) {
        place--;
        continue;
      }
      if (steps[place] === 'destination' && isLine(answer)) {
        return answer;
      }
      place++;
    }
    return this.#whole();
  }

  #steps(): Step[] {
    if (this.asking.message !== undefined) {
      return ['form'];
    }
    const last: Step[] =
      this.#message !== undefined ? ['form'] : (this.asking.sender ?? '') === '' ? ['sender'] : [];
    return ['destination', 'amount', 'body', ...last];
  }

  /** The position of a step. */
  #at(step: Step): { step: number; totalSteps: number } {
    const steps = this.#steps();
    return { step: steps.indexOf(step) + 1, totalSteps: steps.length };
  }

  async #ask(step: Step, isBack: boolean): Promise<Answer> {
    switch (step) {
      case 'destination':
        return this.#askDestination();
      case 'amount':
        return this.#askAmount();
      case 'body':
        return this.#askBody();
      case 'form':
        return this.#askForm(isBack);
      case 'sender':
        return this.#askSender();
    }
  }

  async #askDestination(): Promise<Answer> {
    const suggestions: Suggestion[] = [
      ...accountSuggestions(knownAccounts(this.services)).map((account, index) => ({
        ...account,
        ...(index === 0 ? { group: 'accounts' } : {}),
      })),
      ...this.asking.recent.map((line, index) => ({
        value: line,
        label: line,
        icon: 'history',
        ...(index === 0 ? { group: 'recent messages' } : {}),
      })),
    ];
    const answer = await pickOrType({
      title,
      placeholder: 'Recipient, or a whole line: send bob 0.1ton comment "rent" from alice',
      ...this.#at('destination'),
      ...(this.#destination === '' ? {} : { value: this.#destination }),
      suggestions,
      lookUp: this.asking.lookUp,
      read: (text) => {
        const whole = isLine(text);
        const reason = this.#problem(whole ? text : deployable(`send ${text} 0`, text));
        return reason === undefined
          ? {
              ok: true,
              label: whole ? 'Compose this message' : text,
              description: whole ? this.asking.lookUp.shown(text) : '',
            }
          : { ok: false, reason };
      },
    });
    if (typeof answer === 'string' && answer.trim() !== this.#destination) {
      this.#destination = answer.trim();
      this.#message = undefined;
      this.#fields = undefined;
      this.#rest = '';
    }
    return answer;
  }

  async #askAmount(): Promise<Answer> {
    const answer = await askText({
      title: `${title} to ${this.asking.lookUp.shown(this.#destination)}`,
      prompt: 'Amount: 0.1ton, or a number of nanocoins',
      placeholder: '0.1ton',
      ...this.#at('amount'),
      value: this.#amount === '' ? '0.1ton' : this.#amount,
      validate: (text) =>
        this.#problem(deployable(`send ${this.#destination} ${text}`, this.#destination), text),
    });
    if (typeof answer === 'string') {
      this.#amount = answer.trim();
    }
    return answer;
  }

  async #askBody(): Promise<Answer> {
    this.#messages = await this.asking.messagesOf(this.#destination);
    const answer = this.#messages.length === 0 ? await this.#askRest() : await this.#askMessage();
    if (typeof answer !== 'string') {
      return answer;
    }
    const chosen = this.#messages.find(({ layout }) => layout.name === answer);
    if (chosen !== this.#message) {
      this.#message = chosen;
      this.#fields = chosen === undefined ? undefined : await this.asking.fieldsOf(chosen);
    }
    this.#rest = chosen === undefined ? answer.trim() : '';
    return answer;
  }

  /** Lists the contract's messages before the other forms of a body. */
  #askMessage(): Promise<Answer> {
    return pickOrType({
      title: `${title} of ${this.#amount} to ${this.asking.lookUp.shown(this.#destination)}`,
      placeholder: 'A message of the contract, or text: comment "text", body b(u32 7)',
      ...this.#at('body'),
      ...(this.#rest === '' ? {} : { value: this.#rest }),
      suggestions: [
        ...this.#messages.map(({ layout }, index) => ({
          value: layout.name,
          label: `${layout.name}(${layout.cells
            .flat()
            .map(({ name }) => name)
            .join(', ')})`,
          icon: 'mail',
          ...(index === 0 ? { group: 'messages' } : {}),
        })),
        { value: '', label: 'No body', icon: 'circle-slash', group: 'other' },
      ],
      lookUp: this.asking.lookUp,
      read: (text) => {
        const reason = this.#problem(`send ${this.#destination} ${this.#amount} ${text}`, text);
        return reason === undefined ? { ok: true, label: text } : { ok: false, reason };
      },
    });
  }

  #askRest(): Promise<Answer> {
    const [destination, amount] = [this.#destination, this.#amount];
    return askText({
      title: `${title} of ${amount} to ${this.asking.lookUp.shown(destination)}`,
      prompt:
        'comment "text", or body b(u32 7, addr @bob). Add code cell te6cc… data b(…) to deploy, and bounce or no-bounce.',
      placeholder: 'Leave empty for no body',
      ...this.#at('body'),
      value: this.#rest,
      validate: (text) => this.#problem(`send ${destination} ${amount} ${text}`, text),
      lookUp: this.asking.lookUp,
    });
  }

  async #askForm(isBack: boolean): Promise<Answer> {
    const { asking } = this;
    const [fields, message] = [this.#fields!, this.#message!];
    const more =
      (asking.sender ?? '') === '' ? [this.#amountField(), this.#senderField()] : [this.#amountField()];
    const keep = (): void => {
      const [amount = '', sender] = fields.moreTexts();
      this.#amount = amount;
      this.#sender = sender === undefined ? this.#sender : this.#senderClause(sender);
    };
    const steps = this.#at('form');
    const answer = await fields.ask({
      title:
        asking.deploys === undefined
          ? `TON: ${asking.verb} ${message.layout.name} to ${asking.called ?? asking.lookUp.shown(this.#destination)}`
          : `TON: ${asking.verb} ${asking.deploys.contract.name} With ${message.layout.name}`,
      action: asking.action,
      more,
      isBack,
      ...(steps.totalSteps === 1 ? {} : steps),
      checking: 'rehearsing',
      verdict: (signal) => {
        keep();
        return asking.rehearse(this.#whole(), signal);
      },
    });
    keep();
    return answer;
  }

  #amountField(): AskedField {
    return {
      name: 'value',
      type: 'attached',
      help: '0.1ton, or a number of nanocoins.',
      value: this.#amount === '' ? '0.1ton' : this.#amount,
      suggestions: [],
      refuses: (text) =>
        this.#problem(deployable(`send ${this.#destination} ${text}`, this.#destination), text),
    };
  }

  #senderField(): AskedField {
    const suggestions = this.#senders();
    return {
      name: 'from',
      type: 'sender',
      help: 'The wallet that signs, or a contract to send from without a signature.',
      value: this.#sender === '' ? suggestions[0]?.value : bareName(this.#sender.replace(/^from /, '')),
      suggestions,
      refuses: (text) =>
        this.#problem(
          deployable(`send ${this.#destination} 0 ${this.#senderClause(text)}`, this.#destination),
          '',
        ),
      note: (text) =>
        [
          this.asking.noteOf(text),
          this.#senderClause(text).startsWith('from ') ? 'signs' : 'without a signature',
        ]
          .filter((part) => part !== undefined)
          .join(', '),
    };
  }

  async #askSender(): Promise<Answer> {
    const answer = await pickOrType({
      title: `${title} of ${this.#amount} to ${this.asking.lookUp.shown(this.#destination)}`,
      placeholder: 'Choose the wallet that signs, or a contract to send from without a signature',
      ...this.#at('sender'),
      ...(this.#sender === '' ? {} : { value: this.#sender }),
      suggestions: this.#senders().map((account) => ({
        ...account,
        value: this.#senderClause(account.value),
      })),
      lookUp: this.asking.lookUp,
      read: (text) => {
        const reason = this.#problem(this.#whole(this.#senderClause(text)));
        return reason === undefined ? { ok: true, label: this.#senderClause(text) } : { ok: false, reason };
      },
    });
    if (typeof answer === 'string') {
      this.#sender = this.#senderClause(answer);
    }
    return answer;
  }

  /** Accounts that can sign come first: the contract just deployed rarely sends. */
  #senders(): Suggestion[] {
    const { wallets } = this.asking.options;
    const signs = (name: string): boolean => wallets.includes(name);
    const known = knownAccounts(this.services).filter(({ name }) => name !== bareName(this.#destination));
    return accountSuggestions([
      ...known.filter(({ name }) => signs(name)),
      ...known.filter(({ name }) => !signs(name)),
    ]).map((account) => ({
      ...account,
      description: `${account.description}, ${signs(account.value) ? 'signs' : 'without a signature'}`,
    }));
  }

  /** Wallets sign; for everything else the local network forges the sender. */
  #senderClause(text: string): string {
    const name = bareName(text.trim());
    if (/^(from|as)\s/.test(name)) {
      return name;
    }
    return this.asking.options.wallets.includes(name) ? `from ${name}` : `as ${name}`;
  }

  /** `send Vault AddGuardian {who: bob, weight: 5} 0.1ton from alice` */
  #whole(sender = this.#sender): string {
    const { word, options, deploys } = this.asking;
    const typed =
      this.#message === undefined || this.#fields === undefined
        ? ''
        : `${word(options.layouts ?? [], this.#message, deploys?.contract ?? bareName(this.#destination))} ${this.#fields.text()}`;
    return ['send', this.#destination, typed, this.#amount, this.#rest, sender]
      .filter((part) => part !== '')
      .join(' ');
  }

  /**
   * Why the line cannot be sent, with the position in the typed text; undefined if it can.
   * @param typed the end of the line, if only that was typed
   */
  #problem(line: string, typed = line): string | undefined {
    try {
      this.asking.read(line);
      return undefined;
    } catch (error) {
      if (!WorkbenchError.is(error)) {
        return String(error);
      }
      const { offset } = error.details;
      const at = typeof offset === 'number' ? offset - (line.length - typed.length) : -1;
      const place = at >= 0 && typed !== '' ? `Position ${at + 1}: ` : '';
      return place + errorSentences(error);
    }
  }
}

/** More than a destination: a whole message. */
function isLine(text: string): boolean {
  return /^\s*(send\s|\S+\s+\S)/.test(text);
}

/** Completes a bare `new`: code and data are asked for later. */
function deployable(line: string, destination: string): string {
  return destination === 'new' ? `${line} code x{} data x{}` : line;
}
