import { tokenize } from './tokenize';
import type { TolkHeads } from './tolkHeads';
import { readTolkHeads } from './tolkHeads';

/**
 * What the functions of Tolk's standard library return that have a value to return, in versions 1.3 and 1.4: for each type
 * that they are methods of and each result, their names.
 */
const results = `
-> (int, int): divMod minMax modDiv mulDivMod
-> OutMessage: createExternalLogMessage<TBody> createMessage<TBody>
-> address: address
-> any_address: createAddressNone
-> tuple: createEmptyTuple
-> bool: isSignatureValid isSliceSignatureValid
-> builder: beginCell
-> cell: createEmptyCell
-> coins: calculateForwardFee calculateForwardFeeWithoutLumpPrice calculateGasFee calculateGasFeeWithoutFlatPrice
-> coins: calculateOriginalForwardFee calculateStorageFee grams ton
-> continuation: getTvmRegisterC3 transformSliceToContinuation
-> dict: createEmptyDict
-> int: abs getGasConsumedAtTheMoment max min mulDivCeil mulDivFloor mulDivRound sign
-> int: stringCrc16 stringCrc32 stringSha256 stringSha256_32 stringToBase256
-> lisp_list<T>: createEmptyList<T>
-> map<K, V>: createEmptyMap<K, V> createMapFromLowLevelDict<K, V>
-> slice: createEmptySlice stringHexToSlice
AutoDeployAddress -> address: calculateAddress
AutoDeployAddress -> bool: addressMatches
AutoDeployAddress -> builder: buildAddress
Cell<T> -> T: load
Cell<T> -> slice: beginParse
Cell<T> -> uint256: hash
MapEntry<K, V> -> K: getKey
MapEntry<K, V> -> V: loadValue
MapLookupResult<V> -> V: loadValue
OutMessage -> coins: estimateFeeWithoutSending sendAndEstimateFee
OutMessage -> uint256: hash
StateInit -> uint256: calcHashCodeData calcHashPrefixCodeData
StringBuilder -> StringBuilder: create
StringBuilder -> self: append appendInt
StringBuilder -> string: build
T -> Cell<T>: toCell
T -> T: fromCell fromSlice fromTuple
T -> tuple: toTuple
T -> slice: forceLoadLazyObject
address -> (int8, uint256): getWorkchainAndHash
address -> address: calculateSameAddressInAnotherShard fromValidBuilder fromWorkchainAndHash
address -> bool: bitsEqual
address -> builder: buildSameAddressInAnotherShard
address -> int8: getWorkchain
any_address -> (int8, uint256): getWorkchainAndHash
any_address -> address: castToInternal
any_address -> bool: isExternal isInternal isNone
any_address -> int8: getWorkchain
array<T> -> T: first get last pop
array<T> -> int: size
blockchain -> cell?: configParam
blockchain -> int: currentBlockLogicalTime logicalTime now
builder -> cell: endCell endCellSpecial
builder -> int: bitsCount depth refsCount
builder -> self: storeAddress storeAddressAny storeAddressNone storeAddressOpt storeAny<T> storeBool storeBuilder
builder -> self: storeCoins storeDict storeInt storeMaybeRef storeMessageOp storeMessageQueryId storeRef storeSlice
builder -> self: storeString storeUint
builder -> slice: toSlice
builder -> uint256: hash
cell -> (int, int, int): calculateSizeStrict
cell -> (int?, int?, int?, bool): calculateSize
cell -> (slice, bool): beginParseSpecial
cell -> bool: hashEqual
cell -> cell: loadSpecial toLibraryReference
cell -> int: depthOfLevel
cell -> slice: beginParse
cell -> uint256: hash hashOfLevel
cell? -> int: depth
contract -> [coins, ExtraCurrenciesMap]: getOriginalBalanceWithExtraCurrencies
contract -> address: getAddress
contract -> cell: getCode getData
contract -> coins: getOriginalBalance getStorageDuePayment getStoragePaidPayment
dict -> (cell?, bool): iDictGetRef sDictGetRef uDictGetRef
dict -> (int?, cell?, bool): iDictGetFirstAsRef iDictGetLastAsRef uDictGetFirstAsRef uDictGetLastAsRef
dict -> (int?, slice?, bool): iDictDeleteFirstAndGet iDictDeleteLastAndGet iDictGetFirst iDictGetLast iDictGetNext
dict -> (int?, slice?, bool): iDictGetNextOrEqual iDictGetPrev iDictGetPrevOrEqual uDictDeleteFirstAndGet
dict -> (int?, slice?, bool): uDictDeleteLastAndGet uDictGetFirst uDictGetLast uDictGetNext uDictGetNextOrEqual
dict -> (int?, slice?, bool): uDictGetPrev uDictGetPrevOrEqual
dict -> (slice, slice?, slice?, bool): prefixDictGet
dict -> (slice?, bool): iDictDeleteAndGet iDictGet iDictSetAndGet sDictDeleteAndGet sDictGet sDictSetAndGet
dict -> (slice?, bool): uDictDeleteAndGet uDictGet uDictSetAndGet
dict -> (slice?, cell?, bool): sDictGetFirstAsRef sDictGetLastAsRef
dict -> (slice?, slice?, bool): sDictDeleteFirstAndGet sDictDeleteLastAndGet sDictGetFirst sDictGetLast
dict -> (slice?, slice?, bool): sDictGetNext sDictGetNextOrEqual sDictGetPrev sDictGetPrevOrEqual
dict -> bool: dictIsEmpty iDictDelete iDictSetBuilderIfExists iDictSetBuilderIfNotExists iDictSetIfExists
dict -> bool: iDictSetIfNotExists prefixDictDelete prefixDictSet sDictDelete uDictDelete uDictSetBuilderIfExists
dict -> bool: uDictSetBuilderIfNotExists uDictSetIfExists uDictSetIfNotExists
dict -> cell?: iDictGetRefOrNull iDictSetAndGetRefOrNull sDictGetRefOrNull uDictGetRefOrNull uDictSetAndGetRefOrNull
int -> string: toDecimalString
lisp_list<T> -> T: getHead popHead
lisp_list<T> -> bool: isEmpty
lisp_list<T> -> int: calculateSize
lisp_list<T> -> lisp_list<T>: calculateConcatenation calculateReversed getTail unpackFromSlice
map<K, V> -> MapEntry<K, V>: findFirst findKeyGreater findKeyGreaterOrEqual findKeyLess findKeyLessOrEqual findLast
map<K, V> -> MapEntry<K, V>: iterateNext iteratePrev
map<K, V> -> MapLookupResult<V>: addOrGetExisting deleteAndGetDeleted get replaceAndGetPrevious setAndGetPrevious
map<K, V> -> V: mustGet
map<K, V> -> bool: addIfNotExists delete exists isEmpty replaceIfExists
map<K, V> -> dict: toLowLevelDict
map<K, V> -> self: set
random -> int: range
random -> uint256: getSeed uint256
slice -> (int, int): remainingBitsAndRefsCount
slice -> (int, int, int): calculateSizeStrict
slice -> (int?, int?, int?, bool): calculateSize
slice -> T: loadAny<T>
slice -> address: loadAddress
slice -> address?: loadAddressOpt
slice -> any_address: loadAddressAny
slice -> bool: bitsEqual isEmpty isEndOfBits isEndOfRefs loadBool
slice -> cell: loadRef preloadRef
slice -> cell?: loadMaybeRef preloadMaybeRef
slice -> coins: loadCoins
slice -> dict: loadDict preloadDict
slice -> int: depth loadInt loadMessageFlags loadMessageOp loadMessageQueryId loadUint preloadInt preloadUint
slice -> int: remainingBitsCount remainingRefsCount
slice -> self: removeLastBits skipAny<T> skipBits skipBouncedPrefix skipDict skipMaybeRef skipMessageQueryId
slice -> slice: getFirstBits getLastBits getMiddleBits loadBits preloadBits
slice -> string: loadString
slice -> uint256: bitsHash hash
string -> bool: equalTo
string -> int: calculateLength crc16 crc32 depth sha256 sha256_32 toBase256
string -> slice: beginParse hexToSlice literalSlice
string -> string_prefixed0x: prefixWith00 prefixWith01
string -> uint256: hash
tuple -> T: first<T> get<T> last<T> pop<T>
tuple -> int: size
`;

/** Structs and constants of Tolk's standard library, as it declares them. */
export const tolkLibraryText = `
struct InMessage { senderAddress: address, valueCoins: coins, valueExtra: ExtraCurrenciesMap, originalForwardFee: coins,
  createdLt: uint64, createdAt: uint32, body: slice }
struct InMessageBounced { senderAddress: address, valueCoins: coins, valueExtra: ExtraCurrenciesMap,
  originalForwardFee: coins, createdLt: uint64, createdAt: uint32, bouncedBody: slice }
struct MapLookupResult<V> { rawSlice: slice?, isFound: bool }
struct MapEntry<K, V> { rawValue: slice?, key: K, isFound: bool }
const MASTERCHAIN = -1
const BASECHAIN = 0
`;

let known: TolkHeads | undefined;

/** The functions and constants of Tolk's standard library. */
export function tolkLibraryHeads(): TolkHeads {
  known ??= readTolkHeads(tokenize(tolkLibraryText + functions(), 'tolk'));
  return known;
}

/** Those of `results`, as Tolk declares them. */
function functions(): string {
  return results
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [head = '', names = ''] = line.split(': ');
      const [receiver = '', result = ''] = head.split('-> ').map((part) => part.trim());
      return [...names.matchAll(/\w+(?:<[^>]*>)?/g)].map(
        ([name]) => `fun ${receiver === '' ? '' : `${receiver}.`}${name}(): ${result}\n`,
      );
    })
    .join('');
}
