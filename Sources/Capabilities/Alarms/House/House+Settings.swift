import GatewayModel
package import HouseAlarm
import Hub
package import Settings

extension HouseAlarmSettings {
    package init(_ house: GatewaySettings.House) {
        self.init(
            sound: Sound(house.sound),
            loudness: Loudness(start: house.loudness.lowerBound, maximum: house.loudness.upperBound),
            voice: house.voiceSpeed.map { Voice(speed: $0) }, language: house.language,
            lamp: house.lamp.map(GPIOLine.init), button: house.button.map { Button(line: GPIOLine($0.line)) })
    }
}

extension HouseAlarmSettings.Sound {
    fileprivate init(_ sound: GatewaySettings.House.Sound) {
        self =
            switch sound {
            case .off: .off
            case .device(let name): .device(name)
            case .files(let directory): .files(directory: directory)
            }
    }
}

extension GPIOLine {
    fileprivate init(_ line: GatewaySettings.House.Line) {
        self.init(chip: line.chip, offset: UInt32(line.offset), isActiveLow: line.isActiveLow)
    }
}
