// Browsers start no workers from files. There the search, which would be one, runs in a hidden frame instead.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(address) {
      super()
      this.frame = document.createElement("iframe")
      this.frame.hidden = true
      document.documentElement.append(this.frame)
      this.inside = this.frame.contentWindow
      this.inside.postMessage = data => this.dispatchEvent(new MessageEvent("message", {data}))
      const script = this.inside.document.createElement("script")
      this.started = new Promise(resolve => { script.onload = resolve })
      script.src = address
      this.inside.document.body.append(script)
    }
    postMessage(data) {
      this.started.then(() => this.inside.dispatchEvent(new MessageEvent("message", {data})))
    }
    terminate() { this.frame.remove() }
  }
}
