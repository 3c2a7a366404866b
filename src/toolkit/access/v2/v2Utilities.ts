import * as z from 'zod';
import { v2Read } from '../endpoint/endpoint';
import { address, hash, required } from '../endpoint/parameter';
import { v2Type } from '../../api/v2Objects';

const category = 'Utils';

const variant = z.looseObject({ ...v2Type, b64: z.string(), b64url: z.string() });

/** These endpoints are about forms: their input and output are left unchanged. */
export const v2Utilities = {
  detectAddress: v2Read({
    path: '/detectAddress',
    category,
    purpose: 'An address in all forms, and which form was given.',
    parameters: { address: required(address('The address, in any form.', { asTyped: true })) },
    result: z.looseObject({
      ...v2Type,
      raw_form: z.string(),
      bounceable: variant,
      non_bounceable: variant,
      /** raw_form, friendly_bounceable or friendly_non_bounceable. */
      given_type: z.string(),
      test_only: z.boolean(),
    }),
  }),
  detectHash: v2Read({
    path: '/detectHash',
    category,
    purpose: 'A hash in all forms.',
    parameters: { hash: required(hash('The hash, in any form.', { asTyped: true })) },
    result: z.looseObject({ ...v2Type, b64: z.string(), b64url: z.string(), hex: z.string() }),
  }),
  packAddress: v2Read({
    path: '/packAddress',
    category,
    purpose: 'The user-friendly form of an address.',
    parameters: { address: required(address('The address, raw.', { asTyped: true })) },
    result: z.string(),
  }),
  unpackAddress: v2Read({
    path: '/unpackAddress',
    category,
    purpose: 'The raw form of an address.',
    parameters: { address: required(address('The address, user-friendly.', { asTyped: true })) },
    /** Text `0:` with uppercase hex; the description also has an object. */
    result: z.union([
      z.string(),
      z.looseObject({
        workchain: z.optional(z.number()),
        bounceable: z.optional(z.boolean()),
        testnet: z.optional(z.boolean()),
        addr_hex: z.optional(z.string()),
      }),
    ]),
  }),
};
