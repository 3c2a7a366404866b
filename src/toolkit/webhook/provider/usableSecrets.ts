import type { WebhookProvider } from './provider';

type SecretRule = Pick<WebhookProvider, 'secretForm'>;

/** The secrets that the service can have; the others are of another one. */
export function usableSecrets<Secret extends { value: string }>(
  { secretForm }: SecretRule,
  secrets: readonly Secret[],
): readonly Secret[] {
  return secrets.filter(({ value }) => secretForm.problem(value) === undefined);
}
