cask "rainbell" do
  arch arm: "-arm64"

  version "{{version}}"
  sha256 arm:   "{{sha256 Rainbell-{{version}}-arm64.dmg}}",
         intel: "{{sha256 Rainbell-{{version}}.dmg}}"

  url "https://github.com/rainbell/rainbell/releases/download/v#{version}/Rainbell-#{version}#{arch}.dmg"
  name "Rainbell"
  desc "Weather API client, webhook receiver, and sandbox"
  homepage "https://github.com/rainbell/rainbell"

  app "Rainbell.app"
  binary "#{appdir}/Rainbell.app/Contents/Resources/bin/rainbell"

  zap trash: "~/Library/Application Support/rainbell"
end
