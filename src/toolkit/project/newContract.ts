import { WorkbenchError } from '../base/errors';
import { counterSources } from './templates/counterSources';
import { jettonSources } from './templates/jettonSources';
import { counterTest, jettonTest, testPackages } from './templates/newTests';
import type { TestedLanguage } from './templates/newTests';

/** A contract that can be made, and in which languages. */
export interface NewContractKind {
  kind: 'counter' | 'jetton';
  /** In a few words. */
  what: string;
  languages: readonly TestedLanguage[];
}

/** The contracts that a folder can begin with. */
export const newContractKinds: readonly NewContractKind[] = [
  {
    kind: 'counter',
    what: 'a number that anyone may increase, and its owner may set',
    languages: ['tolk', 'func', 'tact'],
  },
  {
    kind: 'jetton',
    what: 'a token by TEP-74: its minter, and the wallets that it deploys',
    languages: ['tolk'],
  },
];

/** A language as it is called, and what it needs to compile. */
export const newContractLanguages: Readonly<
  Record<TestedLanguage, { label: string; extension: string; compiler: string | undefined }>
> = {
  // The compiler of Tolk is part of this program.
  tolk: { label: 'Tolk', extension: 'tolk', compiler: undefined },
  func: { label: 'FunC', extension: 'fc', compiler: '@ton-community/func-js' },
  tact: { label: 'Tact', extension: 'tact', compiler: '@tact-lang/compiler' },
};

/** What is written into a folder. */
export interface NewContract {
  /** Paths in the folder, with forward slashes. The first one is the contract to deploy. */
  files: readonly { path: string; text: string }[];
  /** The data that it may be deployed with, as text. */
  data: string;
  /** The call sheet, which runs in the editor and with `ton-workbench run`. */
  sheet: string;
  /** The test, for Node.js's own runner. */
  test: string;
  /** The npm packages that the test imports. */
  packages: readonly string[];
  /** The npm package without which not even the sheet runs; undefined if there is none. */
  compiler: string | undefined;
}

/**
 * The files of a new contract; nothing is written.
 * @throws WorkbenchError `usage` (input) if the contract is not offered in the language
 */
export function newContract(kind: NewContractKind['kind'], language: TestedLanguage): NewContract {
  const offered = newContractKinds.find((one) => one.kind === kind)?.languages ?? [];
  if (!offered.includes(language)) {
    const labels = offered.map((one) => newContractLanguages[one].label);
    throw new WorkbenchError({
      code: 'usage',
      kind: 'input',
      message: `A ${kind} in ${newContractLanguages[language].label} is not offered.`,
      hint: `It is in ${labels.join(' and ')}.`,
    });
  }
  const { extension, compiler } = newContractLanguages[language];
  const [sheet, test] = [`${kind}.toncall`, `tests/${kind}.test.mjs`];
  const sources =
    kind === 'jetton'
      ? ['jettonMinter.tolk', 'jettonWallet.tolk', 'jettonShared.tolk'].map((name) => ({
          path: `contracts/${name}`,
          text: jettonSources[name as keyof typeof jettonSources],
        }))
      : [{ path: `contracts/counter.${extension}`, text: counterSources[language] }];
  return {
    files: [
      ...sources,
      { path: sheet, text: kind === 'jetton' ? jettonSheet : counterSheet(language) },
      {
        path: test,
        text: kind === 'jetton' ? jettonTest(test) : counterTest(language, `counter.${extension}`, test),
      },
    ],
    ...{ sheet, test, compiler },
    data: kind === 'jetton' ? jettonData : counterData(language),
    packages: testPackages(language),
  };
}

const sheetHead = `# Run is above each scenario. What they do on the local network is undone at the end.
@network local
@restore
`;

function counterData(language: TestedLanguage, count = 0): string {
  return language === 'func' ? `b(addr @alice, u32 ${count})` : `{owner: alice, count: ${count}}`;
}

function counterSheet(language: TestedLanguage): string {
  const { extension } = newContractLanguages[language];
  const data = counterData(language, 41);
  const notOwner = language === 'tolk' ? 'ERROR_NOT_OWNER' : '401';
  const query = { tolk: '', func: 'query_id: 0, ', tact: 'queryId: 0, ' }[language];
  return `${sheetHead}
### it begins where it was deployed
deploy contracts/counter.${extension} ${data} as TestCounter
expect TestCounter currentCount() == 41

### anyone may increase it
send TestCounter ${language === 'func' ? 'increase' : 'Increase'} {${query}by: 1} 0.1ton from bob
expect exit 0
expect TestCounter currentCount() == 42

### only its owner may set it
send TestCounter ${language === 'func' ? 'reset' : 'Reset'} {${query}count: 7} 0.1ton from bob
expect exit ${notOwner}
send TestCounter ${language === 'func' ? 'reset' : 'Reset'} {${query}count: 7} 0.1ton from alice
expect TestCounter currentCount() == 7
`;
}

const jettonData = '{totalSupply: 0, admin: alice, content: b(), walletCode: code JettonWallet}';

const jettonSheet = `${sheetHead}
### the admin mints
deploy contracts/jettonMinter.tolk ${jettonData} as TestJetton
send TestJetton Mint {to: bob, jettons: 1000} 0.2ton from alice
expect exit 0
expect TestJetton get_jetton_data().totalSupply == 1000

### bob sends some of them to carol
@bobs = TestJetton get_wallet_address(bob)
@carols = TestJetton get_wallet_address(carol)
send @bobs JettonWallet.Transfer {jettons: 400, to: carol, excessesTo: bob, forwardPayload: x{4_}} 0.2ton from bob
expect exit 0
expect @bobs get_wallet_data().balance == 600
expect @carols get_wallet_data().balance == 400

### nobody sends more than there is
send @bobs JettonWallet.Transfer {jettons: 601, to: carol, forwardPayload: x{4_}} 0.2ton from bob
expect exit ERROR_NOT_ENOUGH_JETTONS
`;
