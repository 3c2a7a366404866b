import type { Client } from '../toolkit/access/createAccess';
import type { v2Endpoints } from '../toolkit/access/v2/v2Endpoints';
import type { v3Endpoints } from '../toolkit/access/v3/v3Endpoints';

// The package's declarations spell these out, without zod: scripts/lib/apiDeclarations.mjs.

/** Every method of API v2: parameters in any usual form, answers with bigint amounts, hex hashes, raw addresses. */
export type V2Api = Client<typeof v2Endpoints>;

/** Every endpoint of API v3; the name is the path in one word: `/jetton/wallets` is `jettonWallets`. */
export type V3Api = Client<typeof v3Endpoints>;

export type { ControlApi } from '../toolkit/localnet/control/controlApi';
