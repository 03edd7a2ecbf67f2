import GatewayModel

extension CivilDate {
    func text(_ language: PersonProfile.Language) -> String {
        let english = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let italian = ["gen", "feb", "mar", "apr", "mag", "giu", "lug", "ago", "set", "ott", "nov", "dic"]
        let names =
            switch language {
            case .english: english
            case .italian: italian
            }
        return "\(day) \(names[month - 1]) \(year)"
    }
}
