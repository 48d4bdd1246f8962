/** Cards: the components that Claude sends, in the page, one below the other. The SDK makes them. */
import { connect } from '../../../sdk/index.js'

const cards = document.getElementById('cards') as HTMLElement
const none = document.getElementById('none') as HTMLElement

const lip = await connect()

const ids = () =>
  [...cards.children].flatMap((card) => {
    const id = card.shadowRoot?.querySelector('[data-component]')?.getAttribute('data-component')
    return typeof id === 'string' ? [id] : []
  })
const changed = () => {
  none.hidden = cards.childElementCount > 0
  document.title = cards.childElementCount > 0 ? `Cards (${cards.childElementCount})` : 'Cards'
}
new MutationObserver(changed).observe(cards, { childList: true })
changed()

// The cards themselves survive a reload by the SDK.
lip.state({ save: () => ({ cards: ids() }), load: () => {} })
