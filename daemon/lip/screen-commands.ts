/** What is sent to a screen: judged as what is sent to a window is, then carried out there, or in a window where it has to be answered. */
import { coreMessage, domainOf, isReserved } from '../../protocol/lip/domains.js'
import { LipError } from '../../protocol/lip/errors.js'
import { checkCoreData } from '../../protocol/lip/messages.js'
import { show } from '../../protocol/overlay/explain.js'
import { CARDS, type Cards, type Opening } from './cards.js'
import { displayOf, type Medium, type MediumCommand, type MediumLine, type Sender } from './medium.js'
import { envelopeOf } from './outbound.js'
import { commandFrom, type Said } from './stamp.js'

type Fields = Readonly<Record<string, unknown>>

export interface SentToScreen {
  readonly id: string
  /** Where it went: the screen, or the window that a component had to be opened in. */
  readonly window: string
  readonly delivered: boolean
  /** Why nothing came of it. */
  readonly ignored?: string
  /** A window that a browser is still to show. */
  readonly opening?: Opening
  readonly [field: string]: unknown
}

/** Commands that mean nothing on a screen, and why: nobody is to believe that they did something. */
const IDLE: Readonly<Record<string, string>> = {
  'session.close': 'a screen does not close; screen.clear removes what is yours there',
  'session.state': 'a screen sends no snapshot; ask for its state',
  'chat.open': 'a screen has no conversation to open; chat.say is said by the companion',
  'chat.close': 'a screen has no conversation to close',
  'chat.typing': 'a screen has no conversation; entity.mood shows that you think',
  'ui.theme': 'a screen has the look of the person’s system',
}

export class ScreenCommands {
  /** How many connections say of each sender that it is there. */
  readonly #present = new Map<string, number>()

  /** @param medium null where nothing is drawn on */
  constructor(
    private readonly medium: Medium | null,
    private readonly cards: Cards,
  ) {}

  /** The screens there are now; none where nothing draws. */
  async list(): Promise<readonly MediumLine[]> {
    return this.medium ? this.medium.list() : []
  }

  listen(): void {
    this.medium?.listen()
  }

  /** Sends one command of the operator to a screen. Rejects with `LipError`. */
  async send(to: string, given: Fields, sender: Sender): Promise<SentToScreen> {
    const said = envelopeOf(given)
    const { id } = commandFrom('claude', said)
    const ignored = idle(to, said.type)
    if (ignored !== null) return { id, window: to, delivered: false, ignored }
    const data = onDisplay(to, said)
    // The companion judges what it is asked itself: a mood or an expression that it does not know is left out.
    if (domainOf(said.type) !== 'entity') checkCoreData('down', said.type, data)
    const medium = this.#there()
    const { type, re } = said
    const command = { id, to, type, data, sender, ...(re !== undefined && { re }) }
    if (domainOf(type) === 'component') return this.#component(medium, command, said)
    const answer = await medium.send(command)
    return { ...answer, id, window: to, delivered: answer.ignored === undefined }
  }

  /** Rejects with `LipError`. */
  async state(to: string, sender: Sender): Promise<Fields> {
    return this.#there().state(to, sender)
  }

  /** Whoever says so is there until the returned function is called. */
  present({ key }: Sender): () => void {
    const count = (change: number) => {
      const now = (this.#present.get(key) ?? 0) + change
      if (now > 0) this.#present.set(key, now)
      else this.#present.delete(key)
      return now
    }
    if (count(1) === 1) this.medium?.present(key, true)
    return () => {
      if (count(-1) > 0) return
      this.cards.forget(key)
      this.medium?.present(key, false)
    }
  }

  async stop(): Promise<void> {
    await this.medium?.stop()
  }

  async #component(medium: Medium, command: MediumCommand, said: Said): Promise<SentToScreen> {
    const { id, to, sender } = command
    const component = String(said.data.id)
    const plan = this.cards.plan(sender.key, to, said)
    if (plan.in === 'nowhere')
      return { id, window: to, delivered: false, ignored: `you have no component ${show(component)} there` }
    const gone = { type: 'component.remove', data: { id: component } }
    try {
      if (plan.in === 'window') {
        // What was drawn becomes something to answer.
        if (plan.leaves) await medium.send({ ...command, ...gone })
        const { opening, ...sent } = await this.cards.send(sender.key, plan.send)
        return { id, ...sent, unique: CARDS, ...(opening && { opening }) }
      }
      if (plan.leaves) await this.cards.send(sender.key, gone).catch(() => {})
      const answer = await medium.send({ ...command, type: plan.send.type, data: plan.send.data })
      const delivered = answer.ignored === undefined
      if (!delivered) this.cards.drop(sender.key, component)
      return { ...answer, id, window: to, delivered }
    } catch (error) {
      if (said.type === 'component.create') this.cards.drop(sender.key, component)
      throw error
    }
  }

  #there(): Medium {
    if (this.medium) return this.medium
    throw new LipError('unavailable', 'this daemon has no screen to send to')
  }
}

/** Why a type can mean nothing on a screen; null when it can. A type that is not the operator’s is refused. */
function idle(to: string, type: string): string | null {
  if (!isReserved(domainOf(type)))
    return `${to} is a screen, and ${type} is a command for windows of a unique`
  const message = coreMessage(type, 'down')
  if (!message) return `no command has the type ${type}`
  if (message.by !== 'operator') throw new LipError('reserved_type', `${type} is said by the host alone`)
  return Object.hasOwn(IDLE, type) ? (IDLE[type] ?? null) : null
}

/** A mark is on the display that it was sent to. Throws `LipError` when it says another. */
function onDisplay(to: string, { type, data }: Said): Fields {
  if (domainOf(type) !== 'screen' || type === 'screen.clear') return data
  const display_id = displayOf(to)
  const anchor = data.anchor as { readonly display_id?: unknown } | undefined
  for (const said of [data.display_id, anchor?.display_id])
    if (said !== undefined && said !== null && said !== display_id)
      throw new LipError('bad_data', `${type}: display_id says ${show(said)}, and this was sent to ${to}`)
  return { ...data, display_id }
}
