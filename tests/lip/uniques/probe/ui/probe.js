// The least a page needs: it says hello with the token of its address, sends what the person does, shows what comes.
const at = new URLSearchParams(location.hash.slice(1))
const token = at.get('lip') ?? sessionStorage.getItem('lip')
sessionStorage.setItem('lip', token)
history.replaceState(null, '', location.pathname)

let last
let closed = false
const say = (text) => {
  document.getElementById('state').textContent = text
}

function connect() {
  const socket = new WebSocket(`ws://${location.host}/lip/ws`)
  const send = (type, data = {}) => socket.send(JSON.stringify({ lip: 1, type, data }))
  socket.onopen = () => send('lip.hello', { sdk: 'probe/1', capabilities: [], token, ...(last && { last }) })
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data)
    last = message.id
    if (message.type === 'lip.ready') say(`ready ${message.data.window}`)
    if (message.type === 'probe.show') document.getElementById('shown').textContent = message.data.text
    if (message.type === 'session.close') {
      closed = true
      say(`closed ${message.data.reason}`)
    }
  }
  socket.onclose = ({ code }) => {
    if (!closed && code !== 4409 && code !== 4410) setTimeout(connect, 100)
  }
  document.getElementById('pick').onclick = () => send('probe.picked', { id: 'n3' })
}
connect()
