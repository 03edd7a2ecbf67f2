public import Accounts
import FoundationEssentials
public import SQLDatabase

/// Persons by their fiscal codes, for the transactions of each capability that looks for them.
public enum FiscalCodes {
    /// The linked person whose house gives the fiscal code: the one that had it first, if houses give it for several. Nil for an
    /// unknown code.
    public static func person(of lookUp: [UInt8], _ db: Database) throws -> HousePerson? {
        try FactsLite.person(of: Data(lookUp), db)
    }
}
