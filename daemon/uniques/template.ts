/** A unique to begin with: small, whole, and good enough to be checked and opened as it is. */

/** The files of a new unique, by path. */
export function templateFiles(name: string): Readonly<Record<string, string>> {
  const title = name.replace(
    /(^|-)([a-z0-9])/g,
    (_, dash, letter) => `${dash === '' ? '' : ' '}${letter.toUpperCase()}`,
  )
  const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`
  return {
    'unique.json': json({
      lip: 1,
      name,
      version: '0.1.0',
      title,
      description: 'Say in one sentence what a person does here.',
      entry: 'ui/index.html',
      guide: 'GUIDE.md',
      domains: [name],
      capabilities: ['chat', 'components'],
      events: {
        [`${name}.picked`]: { summary: 'The person picked a colour', schema: 'schemas/picked.json' },
        [`${name}.export`]: { summary: 'The person sent what they picked' },
      },
      commands: {
        [`${name}.show`]: { summary: 'Show a line of text', schema: 'schemas/show.json' },
        [`${name}.load`]: { summary: 'Go on with what was sent' },
      },
      session: { export: `${name}.export`, snapshot: `${name}.snapshot`, restore: `${name}.load` },
    }),
    'schemas/picked.json': json({
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: { color: { type: 'string', maxLength: 40 } },
      required: ['color'],
    }),
    'schemas/show.json': json({
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: { text: { type: 'string', maxLength: 1000 } },
      required: ['text'],
    }),
    'GUIDE.md': `# ${title}

The person picks a colour.

- \`${name}.picked {color}\`: they picked one. Answer with \`${name}.show\`, in one short line.
- \`${name}.export {picked}\`: they are done and sent it. Answer in the conversation; the window has closed.
- \`${name}.show {text}\`: shows a line of text in the window.

Do not send anything unasked.
`,
    'ui/index.html': `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>${title}</title>
    <link rel="stylesheet" href="main.css">
    <script type="module" src="main.js"></script>
  </head>
  <body>
    <main>
      <h1>${title}</h1>
      <p id="colors">
        <button type="button">red</button>
        <button type="button">green</button>
        <button type="button">blue</button>
      </p>
      <p id="shown" role="status"></p>
      <button id="send" type="button">Send to Claude</button>
    </main>
  </body>
</html>
`,
    'ui/main.css': `body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem; }
button { font: inherit; padding: 0.25rem 0.75rem; }
`,
    // Inline scripts are not run: everything a page does is in files of its own.
    'ui/main.js': `import { connect } from '/lip/sdk.js'

const lip = await connect()
let picked = []

const show = (text) => {
  document.getElementById('shown').textContent = text
}

for (const button of document.querySelectorAll('#colors button')) {
  button.addEventListener('click', () => {
    picked.push(button.textContent)
    lip.emit('${name}.picked', { color: button.textContent })
  })
}
document.getElementById('send').addEventListener('click', () => lip.emit('${name}.export', { picked }))

lip.on('${name}.show', ({ text }) => show(text))
lip.on('session.state', () => lip.emit('${name}.snapshot', { picked }))
lip.on('${name}.load', (data) => {
  picked = data.picked ?? []
  show(\`\${picked.length} picked before\`)
})
`,
  }
}
