import { workerData } from 'node:worker_threads';
import { WorkbenchError } from '../base/errors';
import { Redactor } from '../base/log';
import { RemoteCalls, serveCall, toPlainError } from '../base/serviceThread';
import { runService } from '../base/workerService';
import type {
  RunningTestWallet,
  SessionFacts,
  ToWalletWorker,
  WalletControl,
  WalletHelper,
  WalletNotice,
  WalletSnapshot,
  WalletStarted,
  WalletWorkerMessage,
  WalletWorkerStart,
} from './startTestWallet';
import { remoteWalletNetwork, startTestWallet } from './startTestWallet';
import type { WalletSession } from './walletBook';
import type { WalletEvent } from './walletEvent';

const { network, ...settings } = workerData as WalletWorkerStart;

void runService<WalletStarted, WalletWorkerMessage, ToWalletWorker>(new Redactor(), async ({ log, post }) => {
  const helper = new RemoteCalls<WalletHelper>(post);
  const running = await startTestWallet({ ...settings, network: remoteWalletNetwork(network, helper), log });
  const control = controlOf(running);
  const report = (notice?: WalletNotice): void =>
    post({ type: 'changed', snapshot: snapshotOf(running), notice });
  running.wallet.onEvent((event) => {
    // A rule decides a request right after it was told.
    queueMicrotask(() => report(noticeOf(event)));
  });
  return {
    started: { port: running.port, snapshot: snapshotOf(running) },
    receive: async (message) => {
      if (message.type !== 'call') {
        helper.receive(message);
        return;
      }
      const result = await serveCall<WalletControl>(control, message);
      // The caller knows what has changed before its call returns.
      report();
      post(result);
    },
  };
});

function controlOf(running: RunningTestWallet): WalletControl {
  const { wallet } = running;
  return {
    resume: () => wallet.resume(),
    connect: async (link) => {
      await wallet.connect(link);
    },
    decide: (request, verdict) => wallet.decide(request, verdict),
    disconnect: (session) => wallet.disconnect(session),
    relay: (request, way) => wallet.relay(request, way),
    setFeatures: (words) => {
      wallet.lacks = words;
    },
    setApproval: (approval, session) => {
      if (session === undefined) {
        wallet.approval = approval;
      } else {
        wallet.setApproval(session, approval);
      }
    },
    setAccount: (name) => {
      wallet.account = name;
    },
    close: () => running.close(),
  };
}

function snapshotOf({ wallet, entry }: RunningTestWallet): WalletSnapshot {
  return {
    ...{ account: wallet.account, approval: wallet.approval, lacks: wallet.lacks, entry },
    sessions: wallet.sessions.map(factsOf),
    pending: wallet.pending.map(({ number }) => number),
    decided: wallet.decided,
  };
}

function factsOf(session: WalletSession): SessionFacts {
  const { id, kind, account, dApp, since, state, approval, wantedChain } = session;
  return { id, kind, account, dApp, since, state, approval, wantedChain };
}

function noticeOf(event: WalletEvent): WalletNotice | undefined {
  switch (event.type) {
    case 'sessions':
      return undefined;
    case 'answer':
      return { type: 'answer', answer: event.answer };
    case 'relay':
      return { type: 'relay', number: event.number, relay: event.relay };
    case 'request': {
      const { request, session, rehearsed } = event;
      const problem = WorkbenchError.is(rehearsed) ? toPlainError(rehearsed) : undefined;
      return { type: 'request', request, session: factsOf(session), problem };
    }
  }
}
