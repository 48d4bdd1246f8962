import test from 'ava'
import type { ScreenCast, ScreenCastFault, ScreenCastOffer, WaylandOutput } from '../../../native/index.js'
import { HostUnavailable } from '../../host.js'
import { PersonRefused } from '../picture-source.js'
import { CastPictures, monitorOf } from './cast-pictures.js'

const LEFT: WaylandOutput = { name: 'A', x: 0, y: 0, width: 2560, height: 1600, primary: true, scale: 2 }
const RIGHT: WaylandOutput = { ...LEFT, name: 'B', x: 1280, primary: false, scale: 1 }

type Answer = ScreenCastOffer | ScreenCastFault

/** A desktop that answers as a test says, in order. */
function desktop(
  answers: (Answer | Promise<Answer>)[],
  { token = null as string | null, keeps = true } = {},
) {
  const said: string[] = []
  const kept = { token }
  class Cast {
    ask(given: string | null): Promise<Answer> {
      said.push(`ask ${given}`)
      const answer = answers.shift()
      if (!answer) throw new Error('nobody expected to be asked')
      return Promise.resolve(answer)
    }
    prepare = async (node: number) => void said.push(`prepare ${node}`)
    release = async () => void said.push('release')
    close = async () => void said.push('close')
  }
  const store = {
    read: () => kept.token,
    keep(next: string) {
      if (keeps) kept.token = next
      return keeps
    },
    forget() {
      kept.token = null
    },
  }
  const ScreenCast = Cast as unknown as new () => ScreenCast
  const pictures = new CastPictures({ ScreenCast: ScreenCast as never }, 'unix:path=/nowhere', store, () => [
    LEFT,
  ])
  const take = () => pictures.take(LEFT, async () => void said.push('shoot'))
  return { said, kept, pictures, take }
}

const offer = (token?: string): ScreenCastOffer => ({ monitors: [{ node: 7 }], ...(token && { token }) })
const fault = (kind: ScreenCastFault['fault']): ScreenCastFault => ({ fault: kind, message: `it is ${kind}` })

test('each picture has a session of its own, which the token of the one before opens', async (t) => {
  const { said, kept, take } = desktop([offer('one'), offer('two')])
  await Promise.all([take(), take()])
  t.deepEqual(said, [
    ...['ask null', 'prepare 7', 'shoot', 'close'],
    ...['ask one', 'prepare 7', 'shoot', 'close'],
  ])
  t.is(kept.token, 'two')
})

test('where there is no token, or it cannot be kept, one session serves them all, and the person is asked once', async (t) => {
  for (const [answer, keeps] of [
    [offer(), true],
    [offer('lost'), false],
  ] as const) {
    const { said, kept, pictures, take } = desktop([answer], { keeps })
    await take()
    await take()
    t.deepEqual(said, [
      'ask null',
      ...['prepare 7', 'shoot', 'release'],
      ...['prepare 7', 'shoot', 'release'],
    ])
    t.is(kept.token, null)
    pictures.close()
    t.is(said.at(-1), 'close')
    await t.throwsAsync(take(), { instanceOf: HostUnavailable, message: /stopped/ })
  }
})

test('a token that the portal refuses is forgotten, and the person asked', async (t) => {
  const { said, kept, take } = desktop([fault('token'), offer('new')], { token: 'old' })
  await take()
  t.deepEqual(said, ['ask old', 'close', 'ask null', 'prepare 7', 'shoot', 'close'])
  t.is(kept.token, 'new')
})

test('a token is used up by an answer that brings no other', async (t) => {
  const { kept, take } = desktop([offer()], { token: 'old' })
  await take()
  t.is(kept.token, null)
})

test('a no is remembered until it is taken back, and there is no other way around it', async (t) => {
  const { said, kept, pictures, take } = desktop([fault('dismissed'), offer('new')], { token: 'old' })
  for (let time = 0; time < 2; time++)
    await t.throwsAsync(take(), { instanceOf: PersonRefused, message: /it is dismissed.*next daemon asks/ })
  t.deepEqual(said, ['ask old', 'close'])
  t.is(kept.token, null)
  t.regex(pictures.state, /dismissed/)
  pictures.forget()
  await take()
  t.true(said.includes('shoot'))
})

test('silence is no yes, and is not asked about in another way; the next picture asks again', async (t) => {
  const { take } = desktop([fault('unanswered'), offer('new')])
  await t.throwsAsync(take(), { instanceOf: PersonRefused, message: /unanswered/ })
  await take()
  t.pass()
})

test('what is nobody’s no leaves the other way open, and the token', async (t) => {
  for (const kind of ['missing', 'refused', 'gone'] as const) {
    const { kept, take } = desktop([fault(kind)], { token: 'old' })
    const error = await t.throwsAsync(take(), { instanceOf: HostUnavailable, message: /ScreenCast portal/ })
    t.false(error instanceof PersonRefused)
    t.is(kept.token, 'old')
  }
})

test('what is given back while the desktop asks gives no picture', async (t) => {
  let answer = (_: Answer) => {}
  const { said, pictures, take } = desktop([new Promise<Answer>((resolve) => (answer = resolve))])
  const taken = take()
  await new Promise(setImmediate)
  pictures.close()
  answer(offer('late'))
  await t.throwsAsync(taken, { instanceOf: HostUnavailable, message: /given back/ })
  t.false(said.includes('shoot'))
})

test('an output is found by its place, or by a size that no other has, or not at all', (t) => {
  const both = [LEFT, RIGHT]
  t.is(monitorOf([{ node: 1 }], LEFT, [LEFT])?.node, 1)
  const placed = [
    { node: 1, position: [1280, 0], size: [2560, 1600] },
    { node: 2, position: [0, 0] },
  ]
  t.is(monitorOf(placed, LEFT, both)?.node, 2)
  t.is(monitorOf(placed, RIGHT, both)?.node, 1)
  t.is(monitorOf([placed[0]!], LEFT, both), undefined, 'it is the other one')
  t.is(monitorOf([{ node: 1 }], LEFT, both), undefined)
  t.is(monitorOf([{ node: 1, size: [2560, 1600] }], LEFT, both), undefined, 'both have that many pixels')
  const small = { ...RIGHT, width: 1920, height: 1080 }
  t.is(
    monitorOf(
      [
        { node: 3, size: [1920, 1080] },
        { node: 4, size: [1280, 800] },
      ],
      LEFT,
      [LEFT, small],
    )?.node,
    4,
  )
})
