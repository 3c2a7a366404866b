/** The frameworks that a receiver can be made for. */
export const receiverFrameworks = ['express', 'fastify', 'next', 'hono'] as const;

export type ReceiverFramework = (typeof receiverFrameworks)[number];

/** What the frameworks are called. */
export const frameworkTitles: Readonly<Record<ReceiverFramework, string>> = {
  express: 'Express',
  fastify: 'Fastify',
  next: 'Next.js',
  hono: 'Hono',
};
