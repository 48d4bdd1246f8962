import { connect } from '/lip/sdk.js'

const lip = await connect()
let state = { count: 0 }
const show = () => {
  document.getElementById('state').textContent = JSON.stringify(state)
}
lip.on('kit.told', ({ n }) => {
  document.getElementById('told').textContent += ` ${n}`
})
lip.state({
  save: () => state,
  load: (data) => {
    state = { count: data.count }
    show()
  },
})
document.addEventListener('keydown', ({ key }) => {
  if (key !== '+') return
  state.count++
  show()
})
document.getElementById('send').append(lip.sendButton())
show()
