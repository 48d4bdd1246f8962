/** The tray: what the daemon says, as a menu. It knows none of the actions. */
import type Electron from 'electron'
import type { HostPanel } from '../../../../protocol/host/orders-schema.js'
import type { ElectronApi } from './api.js'

export class TrayMenu {
  #tray: InstanceType<ElectronApi['Tray']> | null = null

  constructor(
    private readonly api: Pick<ElectronApi, 'Tray' | 'Menu' | 'nativeImage'>,
    private readonly icon: string,
    private readonly onChosen: (id: string) => void,
  ) {}

  get isUp(): boolean {
    return this.#tray !== null
  }

  /** Throws where the system has no tray. */
  show(panel: HostPanel | null): void {
    if (panel === null) {
      this.close()
      return
    }
    if (!this.#tray) {
      const image = this.api.nativeImage.createFromPath(this.icon)
      // Black on clear in the menu bar, which the system turns to what its own icons look like.
      image.setTemplateImage(true)
      this.#tray = new this.api.Tray(image)
    }
    this.#tray.setToolTip(panel.summary)
    // Linux trays show a menu as it was when it was set: it is always a new one.
    this.#tray.setContextMenu(this.api.Menu.buildFromTemplate(this.#template(panel)))
  }

  close(): void {
    this.#tray?.destroy()
    this.#tray = null
  }

  #template({ summary, items }: HostPanel): Electron.MenuItemConstructorOptions[] {
    return [
      { label: summary, enabled: false },
      { type: 'separator' },
      ...items.map((item): Electron.MenuItemConstructorOptions => {
        if (item.kind === 'separator') return { type: 'separator' }
        if (item.kind === 'text') return { label: item.label, enabled: false }
        const { id, label, checked } = item
        return {
          label,
          ...(checked !== undefined && { type: 'checkbox', checked }),
          click: () => this.onChosen(id),
        }
      }),
    ]
  }
}
