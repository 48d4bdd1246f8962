// Text that is the same each time a page is opened, and in which no line comes twice.
const WORDS =
  `amber basin cedar delta ember fjord grove harbor inlet juniper kettle lantern meadow nectar orchard pebble quarry ripple
saddle timber umber valley willow yarrow zephyr anchor bramble copper drift easel fathom gravel hollow iron jasper keel ledge
marble north oxbow prairie quill ridge slate thistle upland vessel wharf the of and a in to was with its from under over`.split(
    /\s+/,
  )

function chance(seed) {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) % below
  }
}

function prose(pick, count) {
  const text = Array.from({ length: count }, () => WORDS[pick(WORDS.length)]).join(' ')
  return `${text[0].toUpperCase()}${text.slice(1)}.`
}

function add(parent, tag, text, attributes = {}) {
  const el = document.createElement(tag)
  if (text !== undefined) el.textContent = text
  for (const [name, value] of Object.entries(attributes)) el.setAttribute(name, value)
  parent.append(el)
  return el
}

// A picture with something of its own in every part of it.
function paint(canvas, seed) {
  const pick = chance(seed)
  const context = canvas.getContext('2d')
  context.fillStyle = '#dfe7ec'
  context.fillRect(0, 0, canvas.width, canvas.height)
  for (let n = 0; n < 40; n++) {
    context.fillStyle = ['#35607a', '#b4543a', '#d9a441', '#6b8f5e', '#8a6f9e', '#f4f1e8'][pick(6)]
    context.beginPath()
    context.arc(pick(canvas.width), pick(canvas.height), 4 + pick(26), 0, 7)
    context.fill()
  }
}
