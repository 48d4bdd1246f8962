import test from 'ava'
import { Inspection } from './inspection.js'

interface Look {
  readonly wanted: boolean
  end(error?: Error): void
}

function looking() {
  const looks: Look[] = []
  let possible = true
  const inspection = new Inspection(
    (wanted) =>
      new Promise((resolve, reject) => {
        looks.push({ wanted, end: (error) => (error ? reject(error) : resolve()) })
      }),
    () => possible,
  )
  return {
    inspection,
    looks,
    set possible(value: boolean) {
      possible = value
    },
  }
}

const soon = () => new Promise<void>((resolve) => setImmediate(resolve))

test('who asks while somebody looks gets a look of his own, and not what was seen before', async (t) => {
  const { inspection, looks } = looking()
  const answered: string[] = []
  void inspection.ask(false).then(() => answered.push('first'))
  await soon()
  t.is(looks.length, 1)
  void inspection.ask(true).then(() => answered.push('second'))
  void inspection.ask(false).then(() => answered.push('third'))
  looks[0]?.end()
  await soon()
  t.deepEqual(answered, [], 'what is asked about may have come after that look')
  t.is(looks.length, 2, 'one for both')
  t.true(looks[1]?.wanted)
  looks[1]?.end()
  await soon()
  t.deepEqual(answered.sort(), ['first', 'second', 'third'])
  t.is(looks.length, 2)
})

test('who asks at the very moment a look ends is not forgotten', async (t) => {
  const { inspection, looks } = looking()
  const first = inspection.ask(false)
  await soon()
  looks[0]?.end()
  const second = first.then(() => inspection.ask(false))
  await soon()
  t.is(looks.length, 2)
  looks[1]?.end()
  await second
  t.false(inspection.isDue)
})

test('what is found wrong is told to all who asked, and the next look is a new one', async (t) => {
  const { inspection, looks } = looking()
  const asked = [inspection.ask(false), inspection.ask(true)]
  await soon()
  t.deepEqual(
    looks.map(({ wanted }) => wanted),
    [true],
  )
  looks[0]?.end(new Error('it takes clicks'))
  for (const one of asked) await t.throwsAsync(one, { message: 'it takes clicks' })
  const again = inspection.ask(false)
  await soon()
  looks[1]?.end()
  await t.notThrowsAsync(again)
})

test('what cannot be looked at yet stays due', async (t) => {
  const rig = looking()
  rig.possible = false
  await rig.inspection.ask(false)
  t.true(rig.inspection.isDue)
  t.is(rig.looks.length, 0)
})
