// Makes what is published, in the layout of napi-rs: `lets-overlay` itself, and one package for each prebuilt
// addon found in native/ (the workflow gathers them there), which npm installs where its os, cpu and libc fit.
// Usage: node scripts/package.mjs OUT [--no-build]   -> OUT/*.tgz

import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from './build.mjs'
import { capture, main, root, StepFailed } from './setup.mjs'

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const FILE = /^lets-native\.((linux|darwin|win32)-(x64|arm64)(?:-(gnu|musl|msvc))?)\.node$/

await main(async () => {
  const out = resolve(process.argv[2] ?? 'packages')
  if (!process.argv.includes('--no-build')) await build()
  const addons = readdirSync(join(root, 'native'))
    .map((file) => FILE.exec(file))
    .filter(Boolean)
  if (addons.length === 0) throw new StepFailed('no prebuilt addon is in native/: run `npm run build` first')
  mkdirSync(out, { recursive: true })
  const staging = mkdtempSync(join(tmpdir(), 'lets-package-'))
  try {
    for (const addon of addons) await pack(addonPackage(staging, addon), out)
    await pack(mainPackage(staging, addons), out)
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
})

function addonPackage(staging, [file, abi, os, cpu, libc]) {
  const folder = join(staging, abi)
  mkdirSync(folder)
  copyFileSync(join(root, 'native', file), join(folder, file))
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  const { name, version, license, engines } = manifest
  write(folder, {
    name: `${name}-${abi}`,
    version,
    description: `The native addon of ${name} for ${abi}.`,
    license,
    engines,
    os: [os],
    cpu: [cpu],
    ...(os === 'linux' && { libc: [libc === 'musl' ? 'musl' : 'glibc'] }),
    main: file,
    files: [file],
  })
  return folder
}

function mainPackage(staging, addons) {
  const folder = join(staging, 'main')
  mkdirSync(folder)
  for (const path of [
    'dist',
    'protocol',
    'overlay/scene/fonts',
    'overlay/hosts/electron/renderer/index.html',
    'overlay/hosts/electron/renderer/page.css',
    'overlay/hosts/electron/assets',
    'bin',
    '.claude-plugin',
    '.mcp.json',
    'commands',
    'hooks',
    'skills',
    'native/binding.cjs',
    'native/binding.d.ts',
  ]) {
    cpSync(join(root, path), join(folder, path), { recursive: true })
  }
  for (const file of ['LICENSE', 'README.md', 'CHANGELOG.md'])
    copyFileSync(join(root, file), join(folder, file))
  const { devDependencies, scripts, ...published } = manifest
  const prebuilt = addons.map(([, abi]) => [`${manifest.name}-${abi}`, manifest.version])
  write(folder, { ...published, optionalDependencies: Object.fromEntries(prebuilt) })
  return folder
}

function write(folder, contents) {
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(contents, null, 2)}\n`)
}

async function pack(folder, out) {
  const [npm, ...args] = [process.env.npm_execpath ? process.execPath : 'npm']
  if (process.env.npm_execpath) args.push(process.env.npm_execpath)
  const { code, output } = await capture(npm, [
    ...args,
    'pack',
    folder,
    '--pack-destination',
    out,
    '--silent',
  ])
  if (code !== 0) throw new StepFailed(`npm pack failed: ${output}`)
}
