import * as z from 'zod';
import { openObject } from '../../api/openObject';
import type { Endpoint } from '../endpoint/endpoint';
import { boc, list, opcode } from '../endpoint/parameter';

const parameters = {
  opcodes: list(opcode('Operation codes to decode.'), 1000),
  bodies: list(boc('Message bodies as BoCs, base64 or hex.'), 1000),
};

const result = openObject({
  /** Names in the requested order; an unknown code is returned as text. */
  opcodes: z.array(z.string()),
  /** In the requested order: `@type` and fields, or an `error`. */
  bodies: z.array(z.unknown()),
});

export const v3Decode = {
  decode: {
    layer: 'v3',
    methods: ['GET', 'POST'],
    path: '/decode',
    category: 'Utils',
    purpose: 'Decodes operation codes and message bodies that the service knows.',
    parameters,
    result,
  } satisfies Endpoint,
};
