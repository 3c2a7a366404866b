import { Cell, Dictionary, beginCell } from '@ton/core';
import { slimConfig } from '@ton/sandbox/dist/config/slimConfig';
import { loadFolded } from '../../cell/loadFolded';

/** A blockchain configuration, ready for the emulator. */
export interface NetworkConfig {
  /** What transactions run on: BoC of the dictionary's root, base64. Always this very string, see the emulator. */
  readonly base64: string;
  /**
   * What get-methods run on: the same, with an empty list in parameter 44 (suspended addresses, 10 KB), because the
   * emulator parses the whole configuration on each call (measured: 1.16 ms with the list, 0.7 ms without).
   */
  readonly getMethodBase64: string;
  /** Root of the dictionary. */
  readonly root: Cell;
  readonly parameters: ReadonlyMap<number, Cell>;
  /** Parameter 19: -239 main network, -3 test network. */
  readonly globalId: number;
  /** Parameter 8: the version of TVM and rules. */
  readonly version: number;
  /** For people: its origin. */
  readonly origin: string;
}

let builtIn: NetworkConfig | undefined;

/**
 * The package's small configuration with current public fees (emulator reference: config policy). It is read once,
 * because that takes tens of milliseconds.
 */
export function defaultNetworkConfig(): NetworkConfig {
  return (builtIn ??= readBuiltIn());
}

function readBuiltIn(): NetworkConfig {
  const parameters = readParameters(Cell.fromBase64(slimConfig));
  for (const [id, boc] of configCells) {
    parameters.set(id, Cell.fromBase64(boc));
  }
  return build(parameters, 'built in: fees and limits of the public network, mid-2026');
}

/** Those read last, the newest first. */
let lastRead: readonly { boc: string; config: NetworkConfig }[] = [];
/** Tests have a few that take turns. */
const mostKept = 4;

/**
 * The configuration of a real network, as returned by getConfigAll (BoC, base64). Throws if it is not one. Replays on
 * the same network read the same one: the last few are kept, with their very strings.
 */
export function importNetworkConfig(boc: string, origin: string): NetworkConfig {
  const known = lastRead.find((one) => one.boc === boc) ?? { boc, config: readConfig(boc, origin) };
  lastRead = [known, ...lastRead.filter((one) => one !== known)].slice(0, mostKept);
  return { ...known.config, origin };
}

function readConfig(boc: string, origin: string): NetworkConfig {
  const parameters = readParameters(Cell.fromBase64(boc));
  const limits = parameters.get(43);
  if (limits !== undefined) {
    parameters.set(43, normalizeParameter43(limits));
  }
  return build(parameters, origin);
}

function readParameters(root: Cell): Map<number, Cell> {
  return new Map(
    loadFolded(root, (slice) => slice.loadDictDirect(Dictionary.Keys.Int(32), Dictionary.Values.Cell())),
  );
}

/** The root of the dictionary that holds these parameters. */
export function writeParameters(parameters: ReadonlyMap<number, Cell>): Cell {
  const dictionary = Dictionary.empty(Dictionary.Keys.Int(32), Dictionary.Values.Cell());
  for (const [id, cell] of parameters) {
    dictionary.set(id, cell);
  }
  return beginCell().storeDictDirect(dictionary).endCell();
}

function build(parameters: Map<number, Cell>, origin: string): NetworkConfig {
  const root = writeParameters(parameters);
  const emptyList = beginCell().storeUint(0, 8).storeUint(0, 1).storeUint(0, 32).endCell();
  const small = parameters.has(44) ? writeParameters(new Map(parameters).set(44, emptyList)) : root;
  return {
    base64: root.toBoc().toString('base64'),
    getMethodBase64: small.toBoc().toString('base64'),
    root,
    parameters,
    globalId: parameters.get(19)?.beginParse().loadInt(32) ?? 0,
    version: parameters.get(8)?.beginParse().skip(8).loadUint(32) ?? 0,
    origin,
  };
}

/** Bits of parameter 43 (size limits) that the emulator knows; with more it rejects every transaction. */
const knownBits = 368;

/** Parameter 43 without the fields newer than the emulator. */
function normalizeParameter43(cell: Cell): Cell {
  if (cell.bits.length <= knownBits) {
    return cell;
  }
  return beginCell().storeBits(cell.beginParse().loadBits(knownBits)).endCell();
}

/**
 * Cells of configuration parameters that replace or complete the sandbox package's small configuration, as base64
 * BoCs: 18 (storage prices), 21 (basechain gas) and 25 (basechain forwarding) with the public network's fees of
 * mid-2026; 44 (suspended addresses) and 45 (precompiled contracts), which the small configuration lacks.
 */
const configCells: ReadonlyMap<number, string> = new Map([
  [
    18,
    [
      'te6cckEBAwEAWQACAUgBAgBM3swAAAAAAAAAAAAAAAEAAAAAAAAB9AAAAAAAAAPoAAAAAAAHoSAAU71Pk/sGY0+T+wAAAAAA',
      'AAAAAAAAAAAAAAQ4AAAAAAAAH0AAAAAAAD0JBPXsekg=',
    ].join(''),
  ],
  [
    21,
    [
      'te6cckEBAQEATAAAlNEAAAAAAAAAZAAAAAAAABoL3gAAAAAAQqqrAAAAAAAPQkAAAAAAAA9CQAAAAAAAACcQAAAAAACYloAA',
      'AAAABfXhAAAAAAA7msoAgyFv5Q==',
    ].join(''),
  ],
  [25, ['te6cckEBAQEAIwAAQuoAAAAAAAEEawAAAAAAQqqrAAAAABoKqqsAAYAAVVVVVXUQ/H0='].join('')],
  [
    44,
    [
      'te6cckICAWgAAQAAHU0AAAELALW9PrBAAAECASAAAgEXAgPB+AADAJgCASAABABFAgEgAAUAIgIBIAAGABUCASAABwAMAgEg',
      'AAgACwIBYgAJAAoAA97wAEG99o5GkuI7pwd5/g4Lt+avHh31l5WoNTndbJgddTJBicAAQb62n/3qPYJhy4hEaR+WOXm6/8+K',
      'V+DcrAJjzHB2vUl2qAIBIAANABACAUgADgAPAEG+AgqMl1eDSketEh8OBgtDbR0hTqYRsNrUXG1RfL0HquAAQb4J6/YRxH+p',
      'jeUxhne0iiMdHmz7BbJJ/A2DtdmA/bfBoAIBIAARABQCASAAEgATAEG+MtpT3R2VD5uveWfm4dGdXXLWuMV1+35enZXNklzp',
      'YiAAQb4X1uRKGZfyPIwEaIXrR0ZOqadct5q10dvKxWIxx7SQoABBvn2RnznfnBxsdNXHfPsUAMFI3yP1awDbH1T8NY2RSYUw',
      'AgEgABYAGQIBagAXABgAQb4zE+Nef80O9dLZy91HfPiOb6EEQ8YqyWKyIU+KeaYLIABBvgPcWeL0jqPxd5IiX7AAYESGqFqZ',
      '7o60BjQZJwpPQP1gAgEgABoAIQIBIAAbAB4CASAAHAAdAEG+G7QwmRBkQDl2gelsFahc2E3dc2YMqdeQSLsvZ9NvZOAAQb4p',
      'n/eynVlf7Ii2d6jP/p1URPrdF9F3S7DiudQyelkj4AIBIAAfACAAQb4JCuCUNANwLdvqVNoiva1U9FHhGXFUDDFg1wX7oGS9',
      'oABBviYwv3fG9RP6IEMms5+GJEZKze85zMTL0MkBu4JvtpTgAEG+h8A0fs8bZ55N1flWvZlR5vEJ/AnLMEITiiuJRVFTeMgC',
      'ASAAIwA4AgEgACQAMQIBIAAlADACASAAJgApAgJwACcAKAA/vUKJSv+5zIbtzDvW8yt9T+w6khaEJC8nmD90Vs+X9ysAP71W',
      'ojld4lxftgVtEe7hsKpp1z+8tHIxB4m0E+r+DLLBAgEgACoALQIBIAArACwAQb3phSLt3euFPBUbC/+mhyJ/p01DoNxnclXO',
      '+p2EWW1DQABBvfNPsLV2VZCVHVCZ+st9oaLlKP3ga6r+AtBdqS4WahXAAgV/rWAALgAvAD+7yfrIr4altRR0b12NrgMccsYY',
      'S7lldvqtQcU4UxLuQAA/u/d1SJSGBpkYL6Z1QbIkTNqCbQgw17d3ZDWUJEFMrkAAQb6L1UE7T5lmGOuEiyPgykuqAW0ENCax',
      'jsi4fdzZq2D0GAIBWAAyADMAQb5yjosmZC/eHjo5JXcqxPaBbK/ows8o6t8hcW3zp2xdUAIBIAA0ADUAQb4pAX6TMABnJukf',
      '/XPXNih/T1ZgABjoxtAcOPcA710IYAIBIAA2ADcAQb3ElkWFRtqNXUWBE+7RfwtIdjcMgFGYjjALq4uk0bmWQABBvf/5Rc3O',
      'jOfsRvU+wIuzw1oPZWEb72oEGW8skbvoqRNAAgEgADkAQgIBIAA6AD8CASAAOwA8AEG+ZelAuv2ZsEUx5VsLYc7CXGMfvFY9',
      'r5qJvf57utexZpACASAAPQA+AEG+CeuA3+1X2/P45pRp7GQchgHQrBFgPxX1l8lRFOXegqAAQb4b9EP1RAHx8Y52ESUcW+sb',
      'RnraqDtToI7Lcwv9zpONYAIBYgBAAEEAQb3rgRapU5BLQlYdRzGcDPpJNazv4GxE6ahwkKj7Gap7QABBve9H2hEAtdzAtA9F',
      'vvQX+A/tIBVarIyAIhqw6rD5vjvAAgEgAEMARABBvpbvxWd5+q2vJUVqR9AlbEIfdFysLR0PXGgVlBf8x5hYAEG+j9bgcxjK',
      'xRmfMrJEC6BbHTCQ+WNXqC3H+z591gZw0AgCASAARgBnAgEgAEcATgIBIABIAE0CAUgASQBKAEG+ctbQFNmhzLQPqHjx6E+2',
      'CoDReo3GuoHzptNOSz26+5ACASAASwBMAEG+NjNw5dYh/KQepIO3eb3YdpzP9dGhYPkXjLLQBD8TSiAAQb4BKE5WGKIlnoi3',
      'OOzw7vkKKIX55eWjPvgxJWwek8AyIABBvsqSt5ldpJldI8bFuDC4l13OlYmXLcwU1jAAuTJBwh0MAgEgAE8AVgIBIABQAFMC',
      'A3rgAFEAUgA/vVuDIbt91w2Z2FpLSOsyAUPo2ovei28SxaHKDSUdRz0AP71qm4D4evL40x1qJi6AGLh6oOBtxFr5bgc8Xr8j',
      'aeWRAgFYAFQAVQBBvh8yu8plIQ4eTy//6Sx6sGmInat7Mpu4SFgt9kaqJfpgAEG+NQzr0qMdo54zeNGRbVEkIUiTAshFoQUX',
      'UREUUpbYmyACASAAVwBeAgEgAFgAWwIBWABZAFoAQb3cHJ+brtBSsROnSioWNJqFxZ+5hIGX7ta5KuhleBFnwABBvf/lQA5T',
      'JrGDmv6EqacNl5j6ktTzbQOEGqpl45xcekNAAgEgAFwAXQBBvjb3vRnUSYZ/7dH4GHu3daZEwcWtgH4l3FnkWKhNSt8gAEG+',
      'I61x6MQ8odWWBgXQaEIC2knMVuqWUdYRISQvAahfuSACASAAXwBkAgEgAGAAYQBBvgnRKzEnxWJhCvSfV4piQ18rM0I7VRC7',
      'RyF0LewL0IygAgFIAGIAYwBAvYrxQeGwOzwD9FV507O/OEzv+AqFi29UKkXcq9KKywIAQL2+c/MZtsrfx5QdRvUwdkJ2uK1Y',
      'MxsSP5+M91GK92u4AgFYAGUAZgBBvd/Q9A7f+dTnKm5cPn9JpluiPZGFmN3nPjujtUzwCMPAAEG98YipZfGCLuYKW1ath/il',
      'BrZpFk8W8wDwsFXWGalq4MACASAAaACHAgEgAGkAeAIBIABqAHUCASAAawBuAgFIAGwAbQBBvfd2PaqUdRI5/YOSJWtXCFyr',
      'LdKQT1hsF+fNTTu8r67AAEG93GJDxi38tv0HO2Q1713Je5TJM5wolGUX0G14jYsr30ACASAAbwB0AgEgAHAAcwIBSABxAHIA',
      'P71CVSlTSsWddGZaLdmciwW0gibckNJ21U8QaoZ58G3/AD+9YaX7UasYBISPcZoCLO8w5cOXr3JmlxTZhS0Id8aMtQBBvdro',
      'odCnIayUb5VXYFh23qJGAE4Oed7iqqU/L0iFAPpAAEG+PECxdkC1NCgzAlXbuevM0LIW6bVpTV9vKB4UwW5hf2ACAVgAdgB3',
      'AEG+Hf6EfPE63wBnCqzJ+OE98AZ24d01lUFq/K1atG2E52AAQb4aWOnwN/mqcDEF3aRDLvLPLhV3/utuZrX3IjLdHYeC4AIB',
      'IAB5AH4CASAAegB7AEG+XdArz77Mgmcbk21HuTtj7U7nQsLYHNzruAzLl9losxACAUgAfAB9AEG9wa5RHaPh8NLmWScQoAnc',
      'VrP547Om0x7qa2Ox7ajZdEAAQb3ErHNC9tEqNNAckGdqKNGlFn+AZa3rh3KWJEfwuQL+wAIBIAB/AIQCASAAgACDAgEgAIEA',
      'ggBBvcUJb8LLbSO28BLSPiT15C9GD21ylpCAWcdzlwHsV2/AAEG9zmcyf2HZzoV6rOie8DvhLBpPFldOAsRc4o4gU6SL0EAA',
      'Qb4Ss0SU4PCQ8H4q8QqoK0LPwJLkcJywLz9WgkZXl/T64AIBIACFAIYAQb42Q1EO8gIoNA1qoGWnHUudKfmqlKEDTQE+DxN+',
      '/4sdoABBvj7TOw32P4vGzUS9sYbR8zBt56ptaXFPPKNXgsT7S4lgAgEgAIgAkQIBIACJAIwCASAAigCLAEG+TvujumO3Vm+B',
      'zpzASuH2e0DaPcKBMwSHinefitPMZZAAQb5cJS6K9fHWefztwKJl8SOYcWDOKCdV668dCQoS1cR6UAIBIACNAJACAVgAjgCP',
      'AEG99KmZCgwzysLzIR2TNaJdbyX4lKduOMlCmhCp4L9gJEAAQb3NtnmmW4yzmAdiAYg7sNjoD8sCiWIvgvkpuYpTXcyiQABB',
      'vn9hAM+g43TTR8vOvZfnhX3kPBCgPp3T0+YF+Ai6RFHwAgFIAJIAlQIBZgCTAJQAQL2HO+JXEPXvSAhl+xY8YUp9s4HosI/l',
      'iEfsjt9bPvB3AEC9p7L2Ru7eCQ8NhgStoHxvewVSsKCDhqyTcL47xQnWaQIBbgCWAJcAQL2wAL6FGQaCTbDdEwGUJ82TDpVM',
      'LoNr4ZGZWxcofghZAEC9lqzgehIXoMRj58vAWaHnNAi6UXEU5Ce942dJqf4HawIBIACZAN4CASAAmgDDAgEgAJsAsgIBIACc',
      'AK0CASAAnQCkAgEgAJ4AoQIBagCfAKAAQL2zICJ56Z/e8Xe6ZjSUJpDEuHC9tMW4vx5DE9iul5nwAEC9uXqt7IiwIofZ+rYj',
      'z6gSeRLjFjLdFQf/uRrXnZauKwIBIACiAKMAQb4CJHgAcs+wQzgf/9IPKdknw/ej0Z+Q+n3BtSEKi0hIoABBvgqovnD/owP5',
      'nsA4G62765H5klOyA1TV+7jriGf2CtjgAgEgAKUAqAIBWACmAKcAQb3dAG8Nta3/iYiTymgGxV0CfKQlN6UlidHeNgbvtMT9',
      'wABBve7An2cFgShRoZx3xA7hUDRtwbcLae0x4dPQQlAH8o3AAgEgAKkAqgBBvhw3hvWTb5M6t8Aw6RrdHG+XBxxUNIrRw97O',
      'UdmB8vHgAgFiAKsArAA/vXsKo3rdiVWgsx2vDV351t2bSxMxAEqZPXonMs7Qq78AP71w82hTTIxdQZ6jKI7pbCB309g49ZbQ',
      'k1b6HvMLvhinAgEgAK4AsQIBIACvALAAQb5ElmikSUchX0lT+0ASVhwF0OBnUB8X4TD4m4/v2Dfl0ABBvlBR7mcUQO8IfN+D',
      'kkDYHF1reSJZhv08w6k+JIA6ITiwAEG+un2oV7CbmRhYGc7tLiCXj/L40+4ZlzvlmEnZPxyuQrgCASAAswC+AgEgALQAuwIB',
      'WAC1ALYAQb4V9JuGqTFvxhA8bZ3fs9LoO+b6B3fjom0kGwNvrVD4oAIBIAC3ALoCAVgAuAC5AD+9R5Ifhkv7tXx5AEQX/SWb',
      '+i4gn7BCzlBPMGmxIdJctwA/vW3hhP6NgcunHka/ccWg7MvmuGDRSS53wbdp0XwBiVEAQb3WKikPb9a/J2tiV6yOhNUW5Biv',
      'imV3gM+EI3VAxst6QAIBIAC8AL0AQb5l/SdOvBo89M+UuN6A2waSjPtRXnDPuhhB6335I2ZF8ABBvmbS2rJcVinie25wMtPA',
      'lXWDHCiHomgkvVjSt/B8tCFQAgEgAL8AwABBvqSCHVak+jIc9ANutTAfHpZNM3YdGky7yaDzsTrg0WhIAgN9eADBAMIAP70A',
      'GCAXHtaQJNqiST0rNTs8mUZSo5H6vM7gvA+3q7+iAD+9FgzFlOZUrfRtonCQzjDSFzrRv4l/94TFs9oi+RQ6kgIBIADEAM8C',
      'ASAAxQDGAEG+3naR+cW7qomTakxvR+35UziHzYmLQ8SOQB+E+huLXFQCASAAxwDIAEG+lOEb059genvvJ5pRL/3maEc9WCq9',
      '6sg7nRE43KzBYCgCASAAyQDMAgEgAMoAywBBvgukN4cHaqlFuawJv/TGaxhU3HU2B5iu8cZPVMOseQOgAEG+K7U1xAKEqaBE',
      'ZoqjpyAnvSx8Z9jfPTeAR/anR5axvmACASAAzQDOAEG+LRKWyiWrpXrzmF0D6pZoIjIBw1Ogul+ykcaRcsz39GAAQb428y49',
      'GdaLncoclv0ISdDlMUY/cxDPGNWFCPT8t4GuoAIBIADQANMCAWoA0QDSAEG+CZk8qaskh1TFSTB1rKW98a7Ni63cuHifjO0M',
      'aW0uHCAAQb4Dm/DvuCGRFFqrZ0RkPCaTJDAaHKWcpP3aN3f/TGJ1YAIBIADUAN0CASAA1QDYAgEgANYA1wBBvgbamHoBL+YP',
      '/5wi/hohibXPmMCAJb9NMMSvvbKBc4/gAEG+EFmR1RbJzXN2D0WGn1BKxYP4tLJcKEosk6IwXetU2qACASAA2QDcAgEgANoA',
      '2wBBvcAVW6oBrMdT6IOXZJg8lJeFSHtWTBNgRA2OszDaEGLAAEG90eKG7apl329R9jcXRJang7lg+HfmO96MzSe3ROIxn0AA',
      'Qb4bGLqI2XPdKGJzNlkPnOnB3Ykw0QQ9lIMZCZW5GWvpoABBvqQeZ13QP0lszxNKt380fCWuaV94vwC/bfuqmrlg1/fIAgEg',
      'AN8A/AIBIADgAO8CASAA4QDoAgEgAOIA4wBBvqg93lUVxmlCEks5kL8jTFcqg8lElfAi8dSee8j2jFDIAgEgAOQA5wICcwDl',
      'AOYAP71g4MD8h0VQ72ZdomIIyd51nj0VtsI6FFgMa24MweWvAD+9b4ubmvEfV2rO2STsZx8Pbvav+csjpiomnOGF4ac2XQBB',
      'vmCoRCI6oEoTr7718kJHotFW00JwT0wWSdcWUXSV5dAwAgEgAOkA6gBBvrNQOxEXRY6JCLpxQkoHjsZIvlfBcGxmhdpxcxw7',
      'hd04AgEgAOsA7ABBvlaGZgdRakpRhSz5ua/SwSwF+uxegRUCw5cGoTQK489QAgJyAO0A7gA/vUIibWNzHs0y+ygdMbxYpHih',
      '+BC/10ly9G+z9RaFQl8AP71op1vGtkjcYMjIvntDC9NAYgUcuJGYfyUKwBzGWd2NAgEgAPAA9wIBIADxAPQCAVgA8gDzAEG+',
      'DFBsLduSEHd/8h4yNNxe9RvCqdhjGjBL9k4lqEym7OAAQb434GDWiciYo62uEboS8sj3hlKUXAWYcM3Urc0NjCMg4AIFf6tg',
      'APUA9gA/vF7LMAveF5Big7KFEdwe91sV0V9i3a1kqJO+7sF/3PAAP7xf8W0/mhW3qcRSs4GUPR2xfbstShFbKZtv9tJJYZXQ',
      'AgEgAPgA+QBBvo5GgwQeuSZwBH72e0OQCPQerqAsZRPRx6CVTxOb2N+4AgEgAPoA+wBBvkD9MxqqdorHYEG9zFp9OnBTFlhF',
      'dwpdMBmPzQ5qlFJwAEG+byIYmqYcOFvHfgQaOiHZgeFTiakL8dWSafPs0FADQvACASAA/QEMAgEgAP4BAwIBIAD/AQICA3qg',
      'AQABAQA/vVuCZKFNfIQBNvDSwQISa3A227Moj5LcMcQA8I9GG9MAP71gLvinZm4QhzPkDiwTr1rsxMW4BG+uZCfNQOBzsyjd',
      'AEG+rC9orZ39Jto92k4zrR5989Z4qySyANXAU8TLG5+0zfgCASABBAEJAgEgAQUBBgBBvlnOv0cNQ7XgFJEwo9boghCVUHzf',
      'Z+urQtJh6esRW5xQAgFqAQcBCABAvYY1sTf2ZnuWrkRZ+aijWbaH+q5ZMHkghn/Ys+tCZhoAQL2mLfoqMZw77ln7oAn0Cna+',
      'Bkp/snNwxHgR2MTl/uqVAgN44AEKAQsAP71eJJ5zIC+mds0rdnbwcB8uFe9tc3n0+Yr4DszZUN0DAD+9VwSkROroBuV+ZUe0',
      '33UHsY0TIaCVVzbjjuig9yJNkwIBIAENARQCAUgBDgETAgEgAQ8BEABBvga7i8W/V7fCfyaKf+LLs48ld6A5hMVDltkVnlrl',
      'k+IgAgFYAREBEgBAvZIZkLzw7YHDbLe+Scl63uhdXfRwOUa0JHwJvuhGG3kAQL2a+QtRGkljjF6hjiME0j7LnnMjJkDh6mYB',
      'ahv3SgufAEG+Se/WcloJvp6q17OsdCOMJD4ikAR9vAu0VjXz06gH7vACASABFQEWAEG+q3Z1cONnEXUOq6coX7x0RaK8l2WJ',
      'j/QViIJee2G6qcgAQb6p4a4p479AeC04K9HUR0x8B9TDrIBoSgVyWXe7xEjGWAID4fgBGAFBAgEgARkBLAIBIAEaASECASAB',
      'GwEgAgFIARwBHwIBIAEdAR4AQb52rnetuJmLxwetwRXlQ8SwkzMrIHn9f1t+3vxypn8ikABBvlRRrWQUSUCo75+dTtj6fP1U',
      'VTmV5DEujv1TIAc3ZLZQAEG+ortA8RL/qsRfVCCcmhh9yV+abEsHsmRmSDIyM5jiKZgAQb8m9YUKTri5t1PuT18AOUAANlba',
      'hR4TQX/+E0DHm+ZDbgIBIAEiASUCAVgBIwEkAEG+joAz2xRnys6osVjw9h5oLeBuillHUEyQTx9wPSvk2egAQb6DBisqcNNO',
      'gHkWKopi45mNlH6fkh5PAtGSQTYFQZc8OAIBIAEmASkCAWoBJwEoAEG+BTSeTSTuPtEMJVQFnJFGV3ZPj32A3sQ2dfo7vUsY',
      'ReAAQb48UKXzeOebz6Sf0/rdq7ZSghPV+ir4hxUVfNNoAj3uYAIBWAEqASsAQb54w/XZedafTBOXpeZuAKWeNgUzYljZQBli',
      'FRqScol/cABBvlYso99V7KRDU2h5cJP7nVpZFs6xhMqbJ3cBBLMRnf0QAgEgAS0BNAIBIAEuATECAVgBLwEwAEG+vKcccqAH',
      'Fjr6X5b91Y34K0ZPb+OLms3cTM4j6n3NYRgAQb6itAh6qAYnXBFCR8eJ2ld07YJlL9aBIRqbdwxSxp53KAIBIAEyATMAQb7G',
      'd11c6JQ0joMkQripjULGhrweXqJCRZcxZTBM9OgfrABBvvYbUp7irpfTeYIjzvP6pUw7+B37G9e/pJLB1al9ue+MAgEgATUB',
      'QAIBIAE2AT8CASABNwE4AEG+kx3vyDNKJWwrTPPQAe0SNrzHVSgH80NkyOf6Xzo1ArgCAVgBOQE+AgEgAToBOwBBvcdlWZEG',
      '0Xj7uGgLfagzT4G4zmtS/JDEdPQBzOA0r99AAgEgATwBPQBAvYD00VNmocZyrS8LPuogdwJgYw9wWC7QCKaicnWos7IAQL2U',
      'R4JVcHfZibOIOqdJm+OTPN6Z1z0bykKu09Up+xc/AEG+M4+kQXOJkOqd54O5hie7aezG8xEYXu6G5DPQNMJwgiAAQb7an34A',
      'E4Mg4PeqZAW6F6j/JbgFl8egPBFDGYC5dIgrvABBvwHz57/E5yef4PfIvxIaQR/9JcDHelFIf8t/dQMLrPEaAgEgAUIBUQIB',
      'IAFDAU4CASABRAFLAgFYAUUBRgBBvqSYlt0KOJ6vKSo1c837N/9LicTJll2Mg7Hbix7bsvIIAgEgAUcBSABBvlTs1M4Ks5+s',
      'oyXT3dpTj9i0KomReztvy23Ji8zH/oXwAgJyAUkBSgA/vW5rhgGDQArJNDNhQ7vOunGFIIai4pTSudqC35QaCl0AP71PnI5A',
      '562/jaI3zhCacJtpvYZZh5q9xzlsMpeCxCHBAgEgAUwBTQBBvvGumZQcLMcd9poNuIrrosNEp4puWGLhChNVG2EnY7NsAEG+',
      '7p39s4YT+KIqIqrkAYK9x60DcjPDjmKFjX3r57L8FtwCASABTwFQAEG/IPVJM6fGP9OC+PczMUdiKPNfwkUrt4eslgzXXEY0',
      'qCIAQb8FwRfn4LbYMTzpLsSBuEI3vAaLitADflpdxp+M5JVWtgIBIAFSAV8CASABUwFUAEG/OXz/ktGTHClb8arzLt3XEjlJ',
      'Tw9LEYxjGvSJNff79loCASABVQFYAgFIAVYBVwBBvls2pCdPwYB0cOeLF/03NMHlVi+ae9pizqbncrBvEzOwAEG+UayWZBYU',
      'CmFXEUAYYgm9+6T+gGmeB3PLSwnxbGZY1JACASABWQFcAgN+ugFaAVsAP7zgdxxvTQeqEYzeVFBkhndCY65aVEMFD365dEq7',
      'Uv6EAD+84tzaj5Hj6h84BDN5CJTToXow3WdMZZYnR66sfzr3NAIBbgFdAV4AQb36Q2nDRQfZx/XsGJ+z0zYtk4S6OXPZcUAS',
      'Om420y1FQABBvd9bukINCpKmNEXeA+ve7Mnhp8WSt+MPJFDCUYjDLZ1AAgEgAWABZwIBIAFhAWQCAVgBYgFjAEG+d7WlQkTM',
      'K1dbJMvxBOOQTiaE0ydHer5C2SG+o+JPhtAAQb5Srjz3PrHb/X30Uvyo/m0kCmRRO30/427aIP+XWGAgkAIBWAFlAWYAQb5l',
      'l0FzEXtUJYlL62Lvyjsnapj5pfIqKkKXY/QJ9d5SEABBvmB1ki/NbsfwoPPjLWgoyK4DOVdj5MXs8ZUDBS8YKfRQAEG/MPSU',
      'tKy/U+JZDSNUNqN5cVsn9ORJqS93L6DRM9HbsoYcZKQF',
    ].join(''),
  ],
  [45, ['te6cckEBAgEAMgABA8DAAQBVoBEo0eBY8crhAFxzLzkKLfhxvg/U7UkGr8Cm3ldPZ9xvdgAAAAAAAAB9EDEuwI8='].join('')],
]);
