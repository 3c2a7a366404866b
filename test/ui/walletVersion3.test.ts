// Takes more than 20 s: a dApp asks for six signatures and gifts, each of which is looked at and decided.
import { NftItem } from '@ton-community/assets-sdk/dist/nft/NftItem';
import { Address, beginCell } from '@ton/core';
import assert from 'node:assert/strict';
import { namedAccounts } from '../../src/toolkit/localnet/accounts/namedAccounts';
import { walletAddresses } from '../../src/toolkit/tonConnect/injectedScript';
import { deployJetton } from '../support/jetton';
import type { DeployedJetton } from '../support/jetton';
import { PlainDApp } from '../support/plainDApp';
import type { Frame } from '../support/plainDApp';
import { freePort } from '../support/freePort';
import { startManifestSite } from '../support/testDApp';
import type { ManifestSite } from '../support/testDApp';
import { pressLens } from './support/pressLens';
import { openWorkbench } from './support/workbench';
import type { Workbench } from './support/workbench';

describe('gasless messages and items in the editor', () => {
  let workbench: Workbench;
  let site: ManifestSite;
  let jetton: DeployedJetton;
  let nft: string;
  let dApp: PlainDApp;
  const friendly = (raw: string, bounceable = false): string => Address.parse(raw).toString({ bounceable });
  const bob = friendly(namedAccounts[1]!.address);

  before(async () => {
    const [walletPort, localPort] = [await freePort(), await freePort()];
    site = await startManifestSite();
    workbench = await openWorkbench({
      settings: {
        'tonWorkbench.ports': { localNetwork: localPort, wallet: walletPort },
        'tonWorkbench.startWithWindow': { localNetwork: true },
      },
    });
    await workbench.runCommand('TON: Start Test Wallet');
    await workbench.messages.waitForNotification(/listens on port/);
    await workbench.messages.clearNotifications();
    const origin = `http://127.0.0.1:${localPort}`;
    jetton = await deployJetton(`${origin}/api/v2`);
    const data = beginCell()
      .storeUint(7, 64)
      .storeAddress(jetton.minter)
      .storeAddress(Address.parse(namedAccounts[0]!.address))
      .storeRef(beginCell().storeUint(1, 8).storeStringTail('https://nft.invalid/7.json').endCell())
      .endCell();
    const boc = (cell: typeof data): string => cell.toBoc().toString('base64');
    const deployed = await fetch(`${origin}/control/deploy`, {
      method: 'POST',
      body: JSON.stringify({ code: boc(NftItem.nftCode), data: boc(data), value: '100000000' }),
    });
    nft = ((await deployed.json()) as { address: string }).address;
    const { bridge, universalLink } = walletAddresses(walletPort);
    dApp = new PlainDApp(bridge);
    await dApp.listen();
    await fetch(dApp.link(universalLink, site.manifestUrl));
    await workbench.messages.waitForNotification(/Test shop asks: connect/);
    await workbench.messages.pressInNotification(/Test shop asks/, 'Approve');
    await dApp.frame(({ event }) => event === 'connect');
  });
  after(async () => {
    dApp?.leave();
    site?.close();
    await workbench?.close();
  });

  const line = (text: RegExp): ReturnType<typeof workbench.page.locator> =>
    workbench.page.locator('.view-line').filter({ hasText: text }).first();
  const transfer = (amount: string): object => ({
    items: [{ type: 'jetton', master: jetton.minter.toString(), destination: bob, amount }],
  });
  /** A request, opened for review. */
  const review = async (
    method: string,
    params: object,
    words: RegExp,
  ): Promise<{ answer: Promise<Frame> }> => {
    await workbench.messages.clearNotifications();
    const answer = dApp.ask(method, [params]);
    await workbench.messages.waitForNotification(words);
    await workbench.messages.pressInNotification(words, 'Review');
    await workbench.editor.lens('Answer Twice').waitFor();
    return { answer };
  };
  const pictures = async (name: string): Promise<void> => {
    await workbench.screenshot(`${name} dark`);
    await workbench.setPictureTheme('light');
    await workbench.screenshot(`${name} light`);
    await workbench.setPictureTheme('dark');
  };

  it('shows a gasless jetton transfer with its warning, signs it, and submits it two times', async () => {
    const { answer } = await review('signMessage', transfer('40'), /send bob 40 units of the jetton/);
    await line(/Signing\ssends\snothing\snow/).waitFor();
    await line(/item\s1\s+jetton:\ssend\sbob\s40\sunits/).waitFor();
    await line(/message\s+pay\s.*0\.05\d*\sTON,\sjetton\stransfer/).waitFor();
    await pictures('wallet gasless request');
    await pressLens(workbench.editor.lens('Approve'), line(/Carried\sout\s\(Approve\)/));
    assert.ok('internalBoc' in ((await answer).result as object));
    await pressLens(workbench.editor.lens('Submit Twice'), line(/again:\sthe\swallet\srefused\sit.*133/));
    await line(/Submit\sTwice:\sthe\swallet\saccepted\sit/).waitFor();
    await pictures('wallet gasless submitted twice');
  });

  it('rejects one, and lets one expire', async () => {
    const rejected = await review('signMessage', transfer('41'), /41 units/);
    await pressLens(workbench.editor.lens('Reject'), line(/Refused\swith\scode\s300/));
    assert.equal((await rejected.answer).error?.code, 300);
    await workbench.editor.lens('Submit as a Relayer').waitFor({ state: 'detached' });
    const { answer } = await review('signMessage', transfer('42'), /42 units/);
    await pressLens(workbench.editor.lens('Approve'), line(/Carried\sout\s\(Approve\)/));
    await answer;
    await pressLens(
      workbench.editor.lens('Let It Expire'),
      line(/Let\sIt\sExpire:\sthe\swallet\srefused\sit.*136/),
    );
    await pictures('wallet gasless expired');
  });

  it('gives an NFT away, and sends it', async () => {
    const item = { type: 'nft', nftAddress: friendly(nft, true), newOwner: bob };
    const { answer } = await review('sendTransaction', { items: [item] }, /give bob the NFT/);
    await line(/item\s1\s+nft:\sgive\sbob\sthe\sNFT/).waitFor();
    await pictures('wallet NFT request');
    await pressLens(workbench.editor.lens('Approve'), line(/Carried\sout\s\(Approve\)/));
    assert.equal(typeof (await answer).result, 'string');
    const refused = await dApp.ask('sendTransaction', [{ items: [item] }]);
    assert.match(refused.error?.message ?? '', /does not own this NFT/);
  });
});
