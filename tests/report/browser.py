"""A headless Chromium for the tests of the report page."""

import base64
import json
import pathlib
import time

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

CHROMIUM, DRIVER = "/usr/bin/chromium", "/usr/bin/chromedriver"


class Browser:
    """One window without access to any network; what it downloads lies in `downloads`."""

    def __init__(self, downloads):
        self.downloads = pathlib.Path(downloads)
        self.downloads.mkdir(parents=True, exist_ok=True)
        self.untouched = None  # the page that is shown as it was loaded, with all figures
        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM
        for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--window-size=1280,900"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service(DRIVER))
        self.devtools("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(self.downloads))
        self.devtools("Network.enable")
        self.devtools("Network.setBlockedURLs", urls=["http://*", "https://*", "ws://*", "wss://*"])
        self.devtools("Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=0, uploadThroughput=0)

    def close(self):
        self.driver.quit()

    def devtools(self, command, **parameters):
        return self.driver.execute_cdp_cmd(command, parameters)

    def js(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def view(self, width=1280, height=900, dark=False, mobile=False):
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=mobile)
        self.devtools("Emulation.setEmulatedMedia",
                      features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def open(self, file, fragment="", **view):
        self.untouched = None
        self.driver.get("about:blank")  # a change of the fragment alone would not load the page again
        self.view(**view)
        self.driver.get(pathlib.Path(file).as_uri() + fragment)

    def open_all(self, file, **view):
        """Opens the page with every figure drawn, for a test that changes nothing: the next one may get the same."""
        if self.untouched == (file, view):
            return
        self.open(file, "#all", **view)
        self.wait(lambda: self.js("return window.glassworks && glassworks.figures.every((figure) => figure.drawn)"), "all figures", seconds=120)
        self.untouched = (file, view)

    def open_figure(self, file, figure, **view):
        """Opens the page and draws this figure."""
        self.open(file, **view)
        self.js("return glassworks.figures.find((one) => one.element.id === arguments[0]).draw().then(() => true)", figure)

    def wait(self, condition, what, seconds=20):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            result = condition()
            if result:
                return result
            time.sleep(0.05)
        raise AssertionError(f"waited {seconds} s for {what}")

    def downloaded(self, name):
        """Content of a file that was downloaded under this name; the file is removed."""
        file = self.downloads / name
        self.wait(lambda: file.exists() and not list(self.downloads.glob("*.crdownload")), f"the download of {name}")
        content = file.read_bytes()
        file.unlink()
        return content

    def pdf(self):
        result = self.devtools("Page.printToPDF", printBackground=False, paperWidth=8.27, paperHeight=11.69)
        return base64.b64decode(result["data"])

    def picture(self, file, clip_height=4000):
        """The whole page as a PNG, for people."""
        width, height = self.js("return [innerWidth, document.documentElement.scrollHeight]")
        clip = {"x": 0, "y": 0, "width": width, "height": min(height, clip_height), "scale": 1}
        result = self.devtools("Page.captureScreenshot", captureBeyondViewport=True, clip=clip)
        pathlib.Path(file).write_bytes(base64.b64decode(result["data"]))

    def complaints(self):
        """Console messages that are errors or warnings."""
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]

    def requests(self):
        """Addresses that were asked for since the last call."""
        messages = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        return [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]
