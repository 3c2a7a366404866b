import type { LocalAccount } from '../../accounts/localAccount';

/**
 * The ten wallets every local network starts with. Worthless by design: published keys. Anyone can spend what they
 * own on any network, so never send anything of value to them. The mnemonics have no password; their keys are derived
 * as by @ton/crypto, their addresses computed as by @ton/ton with default wallet ids (a test compares). A v5r1
 * wallet's id depends on the network that a client is configured for: the address with the test network's id exists
 * and is funded as well.
 */
export const namedAccounts: readonly LocalAccount[] = [
  {
    name: 'alice',
    kind: 'v5r1',
    address: '0:8c95e4c24203c7721c7c5e1ba6907cbfaaaeec9c3aab1726e40ccc4d198dbda8',
    testnetAddress: '0:da0e82d06cbfa76063ff11c6d82633cc1138d9df34715b56c36fe6653c553b3d',
    mnemonic:
      'hazard object try inhale agree empower ring paper jewel axis battle home same distance monster ivory grocery mask pencil strong correct reflect biology shell',
    publicKey: 'a8435ea343d593b7d3a96b95a0b2265b95d4b8e7735ee456e065b23a2de4a04c',
    secretKey:
      'cf94a4864364bac7c079272f761e111225db2b3bbea6c845fe96d41f8631b36ba8435ea343d593b7d3a96b95a0b2265b95d4b8e7735ee456e065b23a2de4a04c',
  },
  {
    name: 'bob',
    kind: 'v4r2',
    address: '0:923af23116a4c546b97d679a63318d1c8041efed4eb5552b35634dcb55a07d02',
    mnemonic:
      'like gift about syrup leg guide jeans expire turn any faint inmate asthma raw ozone trade safe sugar mistake just wrist hover rural era',
    publicKey: '2773ab3ba6e2a07dd53bc22129a51fd0f279184dd157a9c9269f40f40955a02b',
    secretKey:
      '9b6f34d21a6bb1c812bb6a21a17ed4230e1b4607f2c727ca7f4a135acefa62ef2773ab3ba6e2a07dd53bc22129a51fd0f279184dd157a9c9269f40f40955a02b',
  },
  {
    name: 'carol',
    kind: 'v5r1',
    address: '0:147c5cf1afb123f646989ebcf738925e58f689d798bb5f055d1a3249769f2bec',
    testnetAddress: '0:fbaa2779bc9d8ab5641307b5df92da0eea1c78675b26e8c4059209acd17c6a35',
    mnemonic:
      'kind detect future repeat brass wedding name funny rival early pupil giggle lounge liar pioneer group kiwi join learn indoor virtual answer across shuffle',
    publicKey: 'a546ea301ed73d1882ece4f1811184c50b89b55bf2b494d1b394fc420b0c1ab9',
    secretKey:
      'b9ee3b5f7ad05320475ea716c88c3353abdf7cc4515cb4c66981fbd7cd006ddba546ea301ed73d1882ece4f1811184c50b89b55bf2b494d1b394fc420b0c1ab9',
  },
  {
    name: 'dave',
    kind: 'v4r2',
    address: '0:b51b2b713ce16b91c9146043be13d022c26c85e099c3c290416e7360e9d89605',
    mnemonic:
      'fan april left scare taxi embark reason virus solve repeat embrace rough olympic liberty spawn situate rose require episode key crisp stereo property demand',
    publicKey: '64e883d1241c552991a7bf3319bda3d189ac293cda90acfb998d68fbb84e74e2',
    secretKey:
      'ea94a601f6759e502f0e6daf133e0424b82d9c7acd3a777e0b5cfbe5d44e4a0e64e883d1241c552991a7bf3319bda3d189ac293cda90acfb998d68fbb84e74e2',
  },
  {
    name: 'erin',
    kind: 'v5r1',
    address: '0:e7be0f2331e365a225810e3b0a23e7f4abcf7116050cc1f15b584e6f467126ab',
    testnetAddress: '0:3f86c562a08485a194a33b9adaa3235fd91be1d2f6b7617f98e6717286924588',
    mnemonic:
      'park gym payment tourist clump odor depth pulp surprise result treat sustain august page glory across derive shoe negative color account follow apart uniform',
    publicKey: 'febdbea0de8db363bb191233a15050dab2f2e08c15f2721384e7954c0c913f23',
    secretKey:
      '3cccc799c475c13b7a285b9c21a8c6137650d5231b0efa46ea3ca4f8989a74e0febdbea0de8db363bb191233a15050dab2f2e08c15f2721384e7954c0c913f23',
  },
  {
    name: 'frank',
    kind: 'v4r2',
    address: '0:fd68ac5731287619389a96043d9867750191be6021207fe2ff463fc4cb0e74af',
    mnemonic:
      'club very trip vintage mansion bleak regular avoid museum pumpkin toy notice extra evolve enact food excite label situate scatter risk legend concert tired',
    publicKey: '5dc69fb5f6dbec64ebc956f7fbb3534e07d92220bac83ca07480e47fff762525',
    secretKey:
      '362ba428af99a3efb212414d627ff683ef66f1015affe5e0b865033a31637bb55dc69fb5f6dbec64ebc956f7fbb3534e07d92220bac83ca07480e47fff762525',
  },
  {
    name: 'grace',
    kind: 'v5r1',
    address: '0:5c07fcfcef7868fbf57ce6934e0da40719b8cd0c9b8d9e76e8a9b378c5df9413',
    testnetAddress: '0:f4fe51fd05fc233b7b4aa176928e8d8d834d6be402f62d4679708e726e861f9b',
    mnemonic:
      'fat eyebrow advice young hole begin begin dentist police negative nest oak muffin alone grief limit split asthma rebuild mule beef jelly script eye',
    publicKey: '7cf6a48ee189db3a30a231264b27e9380137b1117af0ccf3cb64478e5fbb7eaf',
    secretKey:
      'e0afe1aceb97be8c232b335d8f96c5bf3a9d082d3327f927d5b2c7c1aef551ee7cf6a48ee189db3a30a231264b27e9380137b1117af0ccf3cb64478e5fbb7eaf',
  },
  {
    name: 'heidi',
    kind: 'v4r2',
    address: '0:7b59014d590ce8c589e20a8600c065bd42552565e3d892635f003a58f358dba7',
    mnemonic:
      'panel sunny vacant purpose bread aspect brave rival engage chimney crumble suit salad panel feel attack ramp grief shine plastic tenant grape coach expand',
    publicKey: '6f8f19a40e19aae307f18626ccc2f022379f15172530724679ef6ad7ba889afd',
    secretKey:
      '6801b3370cc2acddf7f34ea91006bb716a3d345b3bc8cc1d8369193f5cbfb7676f8f19a40e19aae307f18626ccc2f022379f15172530724679ef6ad7ba889afd',
  },
  {
    name: 'ivan',
    kind: 'v5r1',
    address: '0:42da208173d2dbc048e60fee4b9d350cc0d9080fc923ed58393c5bf1fd3264c7',
    testnetAddress: '0:eb37230b95289236db2b1913af0588af1b72aa633b16dd4149e66babd5189b0b',
    mnemonic:
      'limit tide city speed easy hobby aware furnace doctor ramp current mixture capable fiber million decorate rug join angry jealous punch drama song thing',
    publicKey: '1ee62b45aa410c2859d8d585013bd1874d862d21a8eeab04e1bd5a4a2a5cb3df',
    secretKey:
      '815d62357ef8554d55d479fd02832d98f87e06c8ae165c4a7d14768e7f20f59e1ee62b45aa410c2859d8d585013bd1874d862d21a8eeab04e1bd5a4a2a5cb3df',
  },
  {
    name: 'judy',
    kind: 'v4r2',
    address: '0:972f4eac1d4e2577bb48ae23c6de7a87ea962705ce8f701749e989bce402d146',
    mnemonic:
      'normal surprise ceiling rent banana split similar dizzy direct common always lock marble crumble still border exile rifle warrior bacon story exchange novel crack',
    publicKey: '7e408b9507aa7e616ae22800ffe0db318eee180ea64cf51f7d90c40dcfaf2025',
    secretKey:
      '954ac52d28818bce4344df0d7e5f56b2537f364dc063d2296b109696ed9d93de7e408b9507aa7e616ae22800ffe0db318eee180ea64cf51f7d90c40dcfaf2025',
  },
];
