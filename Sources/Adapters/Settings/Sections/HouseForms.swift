import GatewayModel
import RunBeacon
import SettingsReading

extension Form where Value == DeviceAddress {
    static var deviceAddress: Form {
        text("a Bluetooth address of six octets such as \"C0:FF:EE:00:00:01\"") { text in
            guard let address = DeviceAddress(text) else {
                return .refused(
                    "copy it from the wearable's label, or leave the section out and use: homegateway devices pair"
                )
            }
            return .accepted(address)
        }
    }
}

extension Form where Value == DayTime {
    static var dayTime: Form {
        text("a time of day such as \"11:00\"", content: .plain) { text in
            DayTime(text).map { .accepted($0) } ?? .refused("write two digits, a colon, two digits")
        }
    }
}

extension Form where Value == GatewaySettings.WakingHours {
    static var hours: Form {
        text("hours such as \"07:00-22:00\"", content: .plain) { text in
            let times = text.split(separator: "-", omittingEmptySubsequences: false).map { DayTime($0) }
            guard times.count == 2, let begin = times[0], let end = times[1] else {
                return .refused("write two times of day with a hyphen between")
            }
            guard begin != end else { return .refused("leave some hours between them") }
            return .accepted(GatewaySettings.WakingHours(begin: begin, end: end))
        }
    }
}

extension Form where Value == [ChannelID] {
    /// Whether there are such channels is not the form's question.
    static func channels(least: Int) -> Form {
        Form("a list of ids of channels such as [\"mqtt\"]") { value in
            let verdict = list(value) { ChannelID($0) }
            guard case .accepted(let ids) = verdict, ids.count < least else { return verdict }
            return .refused("write at least one")
        }
    }
}

extension Form where Value == [UInt8: PersonID] {
    /// Whether there are such persons is not the form's question.
    static var users: Form {
        Form("users by their numbers, 0...254, such as { 1 = \"maria\", 2 = \"gino\" }") { value in
            guard case .table(let table) = value else { return .refused("write it in { }") }
            var users: [UInt8: PersonID] = [:]
            for entry in table.entries {
                // 255 is the device's word for a user that it does not know.
                guard let number = UInt8(entry.key), number < 255, String(number) == entry.key else {
                    return .refused("write the number that the device shows instead of \(entry.key)")
                }
                guard case .string(let text) = entry.node.value, let person = PersonID(text) else {
                    return .refused("write the id of a person in quotes behind \(number) =")
                }
                users[number] = person
            }
            return users.isEmpty ? .refused("write at least one, or remove it") : .accepted(users)
        }
    }
}

extension Form where Value == Set<RunPattern> {
    /// Whether there are such runs is not the form's question: they may come later.
    static var runs: Form {
        Form("a list of ids of runs such as [\"spring-10k\", \"milan-*\"]") { value in
            switch list(value, { RunPattern($0) }) {
            case .accepted(let ids): .accepted(Set(ids))
            case .refused(let advice): .refused(advice)
            }
        }
    }
}

extension Form where Value == [String] {
    /// Each once. They are personal: a mistake is told by its place in the list.
    static func phones(_ counts: ClosedRange<Int>) -> Form {
        let form = Form<String>.phone
        let expected =
            "a list of \(counts.lowerBound) to \(counts.upperBound) phone numbers such as [\"+390212345678\"]"
        return Form(expected, isPersonal: true) { value in
            guard case .array(let nodes) = value else { return .refused("write it in [ ]") }
            guard nodes.count >= counts.lowerBound else { return .refused("write at least one") }
            guard nodes.count <= counts.upperBound else { return .refused("shorten the list") }
            var phones: [String] = []
            for (number, node) in nodes.enumerated() {
                switch form.judge(node.value) {
                case .accepted(let phone) where phones.contains(phone):
                    return .refused("write number \(number + 1) once")
                case .accepted(let phone): phones.append(phone)
                case .refused(let advice): return .refused("in number \(number + 1), \(advice)")
                }
            }
            return .accepted(phones)
        }
    }

    /// All by name or all by address, so that none can be there twice.
    static func adapters(most: Int) -> Form {
        let form = Form<String>.adapter
        return Form("a list of at most \(most) adapters such as [\"hci0\", \"hci1\"]") { value in
            let verdict = list(value) { text -> String? in
                if case .accepted(let adapter) = form.judge(.string(text)) { adapter } else { nil }
            }
            guard case .accepted(let adapters) = verdict else { return verdict }
            guard adapters.count <= most else { return .refused("shorten the list") }
            let named = adapters.count { $0.hasPrefix("hci") }
            guard named == 0 || named == adapters.count else {
                return .refused("write all by name or all by address")
            }
            return verdict
        }
    }
}

extension Form where Value == String {
    /// Digits that a person remembers.
    static var pin: Form {
        text("a text of 4 to 8 digits", isPersonal: true) { text in
            let isPlain = text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            guard isPlain, (4...8).contains(text.utf8.count) else {
                return .refused("write 4 to 8 of the digits 0 to 9")
            }
            return .accepted(text)
        }
    }

    /// E.164: a plus, then at most 15 digits of which the first, of the country code, is none of 0. Spaces
    /// between groups are taken out.
    static var phone: Form {
        text(E164.form, isPersonal: true) { text in
            E164.parse(text).map { .accepted($0) } ?? .refused(E164.remedy)
        }
    }
}

extension Form where Value == String {
    /// The kernel's name of a controller, or its address, which is then given in upper case.
    static var adapter: Form {
        text("an adapter such as \"hci0\", or its address") { text in
            if let address = DeviceAddress(text) { return .accepted(address.description) }
            let digits = text.dropFirst(3).utf8
            guard text.hasPrefix("hci"), (1...5).contains(digits.count),
                digits.allSatisfy({ (48...57).contains($0) })
            else {
                return .refused("see: bluetoothctl list, or ls /sys/class/bluetooth")
            }
            return .accepted(text)
        }
    }
}

extension Form where Value == CredentialFile {
    static var credentialFile: Form { credentialFile(of: "homegateway") }
}
