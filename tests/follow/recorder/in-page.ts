/**
 * Runs inside a page. `hold` remembers the elements that are under the places of marks; `tell` says afterwards where
 * each of them is now, and how much of what was seen there can still be seen.
 *
 * A place: a selector, and where in the element: `rect` the whole of it, `text` the middle of its first line of text,
 * or an offset from its top left corner for a point.
 */
export const IN_PAGE = `(() => {
  let held = []
  const rectOf = (el) => { const { x, y, width, height } = el.getBoundingClientRect(); return [x, y, width, height] }
  const placeOf = (el, where) => {
    const [x, y, width, height] = rectOf(el)
    if (where === 'rect') return [x, y, width, height]
    if (where === 'text') {
      const range = document.createRange()
      range.selectNodeContents(el)
      const line = range.getClientRects()[0]
      return [line.x + line.width / 2, line.y + line.height / 2, 0, 0]
    }
    return [x + where[0], y + where[1], 0, 0]
  }
  const samples = ([x, y, w, h]) => {
    if (w === 0) return [[0, 0], [-9, 0], [9, 0], [0, -7], [0, 7]].map(([dx, dy]) => [x + dx, y + dy])
    const [l, t, r, b] = [x + 3, y + 3, x + w - 4, y + h - 4]
    return [[x + w / 2, y + h / 2], [l, t], [r, t], [l, b], [r, b]]
  }
  const hit = ([x, y]) => document.elementFromPoint(x, y)
  return {
    hold(places) {
      held = []
      return places.map(([selector, where]) => {
        const el = document.querySelector(selector)
        if (!el) throw new Error('nothing is ' + selector)
        const place = placeOf(el, where).map(Math.round)
        const hits = samples(place).map(hit)
        const seen = hits.every((one) => one && (el.contains(one) || (place[2] === 0 && one.contains(el))))
        held.push({ el, at: rectOf(el), place, hits, text: el.textContent })
        return seen ? place : null
      })
    },
    tell() {
      return held.map(({ el, at, place, hits, text }) => {
        if (!el.isConnected || el.textContent !== text) return 'gone'
        const now = rectOf(el)
        if (now[2] === 0) return 'gone'
        const by = [Math.round(now[0] - at[0]), Math.round(now[1] - at[1])]
        const moved = [place[0] + by[0], place[1] + by[1], place[2], place[3]]
        const seen = samples(moved).map((sample, n) => hit(sample) === hits[n])
        const count = seen.filter(Boolean).length
        if (count === 0) return 'gone'
        return seen[0] && count >= 3 ? by : 'partly'
      })
    },
  }
})()`
