internal import GatewayModel

extension Form where Value == Int {
    static func wholeNumber(_ range: ClosedRange<Int>) -> Form {
        Form("a whole number, \(range.lowerBound)...\(range.upperBound)") { value in
            switch value {
            case .integer(let number):
                guard let number = Int(exactly: number), range.contains(number) else {
                    return .refused(Form.outside)
                }
                return .accepted(number)
            case .float: return .refused("write it without a fraction")
            case .string: return .refused("write it without quotes")
            default: return .refused("write one whole number")
            }
        }
    }
}

extension Form where Value == Double {
    /// Integers are taken as numbers too; infinities and "not a number" are in no range.
    static func number(_ range: ClosedRange<Double>) -> Form {
        Form("a number, \(plain(range.lowerBound))...\(plain(range.upperBound))") { value in
            let number: Double
            switch value {
            case .integer(let whole): number = Double(whole)
            case .float(let written): number = written
            case .string: return .refused("write it without quotes")
            default: return .refused("write one number")
            }
            return range.contains(number) ? .accepted(number) : .refused(Form.outside)
        }
    }
}

extension Form where Value == Duration {
    static func seconds(_ range: ClosedRange<Double>) -> Form {
        let number = Form<Double>.number(range)
        return Form("seconds, \(plain(range.lowerBound))...\(plain(range.upperBound))") { value in
            switch number.judge(value) {
            case .accepted(let seconds): .accepted(.nanoseconds(Int64((seconds * 1e9).rounded())))
            case .refused(let advice): .refused(advice)
            }
        }
    }

    static func wholeSeconds(_ range: ClosedRange<Int>) -> Form {
        let number = Form<Int>.wholeNumber(range)
        return Form("whole seconds, \(range.lowerBound)...\(range.upperBound)") { value in
            switch number.judge(value) {
            case .accepted(let seconds): .accepted(.seconds(seconds))
            case .refused(let advice): .refused(advice)
            }
        }
    }
}

extension Form where Value == Bool {
    static var truth: Form {
        Form("true or false") { value in
            if case .boolean(let truth) = value { return .accepted(truth) }
            return .refused("write true or false, without quotes")
        }
    }
}

extension Form {
    fileprivate static var outside: String { "choose a value in this range" }
}

/// A bound as people write it: 25 rather than 25.0.
private func plain(_ number: Double) -> String {
    number.rounded() == number ? String(Int(number)) : String(number)
}

extension Duration {
    /// `2.5 s`: every digit that was written, none that was not.
    var inSeconds: String { "\(Double(wholeNanoseconds) / 1e9) s" }
}
